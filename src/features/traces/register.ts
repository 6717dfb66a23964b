import { feature } from '../feature';
import { tracesCommandIds as ids } from './commandIds';
import { Traces } from './traces';

/** Recording the connections of agents, and replaying what was recorded. */
export const traces = feature({ commandIds: ids }, (core) => {
  const { log, lifetime } = core;
  const made = lifetime.own(new Traces({ ...core, traceLog: log.component('traces') }));
  lifetime.beforeEnd(() => made.end());
  return {
    commands: {
      [ids.chooseTrace]: () => made.choose(),
      [ids.recordTrace]: (argument) => made.recordings.record(argument),
      [ids.stopTrace]: (argument) => made.recordings.stop(argument),
      [ids.replayTrace]: (argument) => made.replays.open(argument),
      [ids.closeTrace]: (argument) => made.replays.close(argument),
    },
    parts: {},
  };
});
