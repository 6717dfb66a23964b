import { feature } from '../feature';
import { plansCommandIds as ids } from './commandIds';
import { continuePlan } from './continuePlan';
import { PlanDocuments } from './planDocuments';

/** Opens the plans of agents as documents, and continues with them. */
export const plans = feature({ commandIds: ids }, (core) => {
  const documents = new PlanDocuments(core.documents);
  return {
    commands: {
      [ids.openPlan]: (argument) => documents.open(core, argument),
      [ids.continuePlan]: (argument) => continuePlan(core, argument),
    },
    parts: {},
  };
});
