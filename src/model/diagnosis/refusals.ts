import { refusedRequests } from '../../protocol/refusedRequests';

/** The agent is told that requests are answered, as in a real start, but none is. */
export const refusals = refusedRequests('Nothing is done for an agent that is only tried');
