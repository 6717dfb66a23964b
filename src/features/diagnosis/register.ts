import { feature } from '../feature';
import { diagnosisCommandIds as ids } from './commandIds';
import { diagnoseAgent } from './diagnose';
import { DiagnosisView } from './diagnosisView';
import { useProtocol } from './useProtocol';

/** Finds out why an agent doesn't work, step by step, and says what can be done. */
export const diagnosis = feature({ commandIds: ids }, (core) => {
  const diagnoses = core.lifetime.own(new DiagnosisView(core));
  return {
    commands: {
      [ids.diagnoseAgent]: (argument) => diagnoseAgent({ ...core, diagnoses }, argument),
      [ids.copyReport]: (argument) => diagnoses.copyReport(argument),
      [ids.useProtocol]: (argument) => useProtocol(core, argument),
    },
    parts: {},
  };
});
