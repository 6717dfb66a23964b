import { branchesCommandIds } from '../../src/features/branches/commandIds';
import { cachedTranscriptsCommandIds } from '../../src/features/cachedTranscripts/commandIds';
import { checkCommandIds } from '../../src/features/check/commandIds';
import { commentsCommandIds } from '../../src/features/comments/commandIds';
import { contextCommandIds } from '../../src/features/context/commandIds';
import { diagnosisCommandIds } from '../../src/features/diagnosis/commandIds';
import { glanceCommandIds } from '../../src/features/glance/commandIds';
import { notificationsCommandIds } from '../../src/features/notifications/commandIds';
import { plansCommandIds } from '../../src/features/plans/commandIds';
import { promptsCommandIds } from '../../src/features/prompts/commandIds';
import { registryCommandIds } from '../../src/features/registry/commandIds';
import { reviewCommandIds } from '../../src/features/review/commandIds';
import { searchCommandIds } from '../../src/features/search/commandIds';
import { sharingCommandIds } from '../../src/features/sharing/commandIds';
import { tracesCommandIds } from '../../src/features/traces/commandIds';
import { transcriptTextCommandIds } from '../../src/features/transcriptText/commandIds';
import { usageCommandIds } from '../../src/features/usage/commandIds';
import { worktreesCommandIds } from '../../src/features/worktrees/commandIds';
import { commandIds as coreCommandIds } from '../../src/platform/ids';

/** The commands of the core, and of all features. */
export const commandIds = {
  ...coreCommandIds,
  ...branchesCommandIds,
  ...cachedTranscriptsCommandIds,
  ...checkCommandIds,
  ...commentsCommandIds,
  ...contextCommandIds,
  ...diagnosisCommandIds,
  ...glanceCommandIds,
  ...notificationsCommandIds,
  ...plansCommandIds,
  ...promptsCommandIds,
  ...registryCommandIds,
  ...reviewCommandIds,
  ...searchCommandIds,
  ...sharingCommandIds,
  ...tracesCommandIds,
  ...transcriptTextCommandIds,
  ...usageCommandIds,
  ...worktreesCommandIds,
} as const;
