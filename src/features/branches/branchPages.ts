import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import type { GoingBack } from '../../model/changes/providedReviews';
import type { SessionMarks } from '../../model/marks/marks';
import { getLabel } from '../../model/text/titles';
import { getRef, type SessionRef } from '../../shared/sessionRef';
import type { BranchAct, ShownBranches } from '../../shared/transcript/branches';
import type { Outline } from '../../views/transcript/feed/outlineFeed';
import type { Admission } from '../../views/transcript/tabs/admission';
import type { BranchedSession, Branches } from '../../views/transcript/tabs/providedBranches';
import { findName } from '../../views/transcript/tabs/sessionNames';
import { BranchPlaces } from './branchPlaces';
import { branchesCommandIds as ids } from './commandIds';

const commands: Readonly<Record<BranchAct, string>> = {
  fork: ids.forkSession,
  edit: ids.editAndResend,
  retry: ids.retryTurn,
  withoutImage: ids.editAndResend,
};

interface BranchPageServices {
  readonly agents: Pick<Agents, 'get'>;
  readonly marks: Pick<SessionMarks, 'get' | 'getBranches'>;
  readonly admission: Pick<Admission, 'find'>;
}

/** What pages show of branches, and the commands that they run. */
export class BranchPages implements Branches {
  readonly #services: BranchPageServices;
  readonly #places = new WeakMap<BranchedSession, BranchPlaces>();

  readonly #continueIn: Branches['continueIn'];

  constructor(services: BranchPageServices, continuing: Branches['continueIn']) {
    this.#services = services;
    this.#continueIn = continuing;
  }

  shown(session: BranchedSession, outline: Outline): ShownBranches | undefined {
    return canBranch(session) ? this.#placesIn(session).shown(getRef(session), outline) : undefined;
  }

  begin(session: BranchedSession, act: BranchAct, index: number): unknown {
    const named = { ...getRef(session), entry: index, withoutImage: act === 'withoutImage' };
    return vscode.commands.executeCommand(commands[act], named);
  }

  goingBack(session: BranchedSession, index: number): GoingBack | undefined {
    if (!session.agent.supports('fork')) {
      return undefined;
    }
    const named = { ...getRef(session), entry: index, restored: true };
    return {
      isChosen: false,
      run: () => vscode.commands.executeCommand(ids.forkSession, named),
    };
  }

  continueIn(session: SessionRef, folder: string): Promise<void> {
    return this.#continueIn(session, folder);
  }

  openOrigin(session: BranchedSession): unknown {
    return vscode.commands.executeCommand(ids.openOrigin, getRef(session));
  }

  openFork(session: BranchedSession, sessionId: string, agentId = session.agent.id): unknown {
    const own = getRef(session);
    const branches = this.#services.marks.getBranches(own.agentId, own.sessionId);
    return branches.some((one) => one.sessionId === sessionId && one.agentId === agentId)
      ? vscode.commands.executeCommand(ids.openFork, { agentId, sessionId })
      : undefined;
  }

  #placesIn(session: BranchedSession): BranchPlaces {
    const { agents, marks, admission } = this.#services;
    let places = this.#places.get(session);
    if (places === undefined) {
      places = new BranchPlaces(
        marks,
        (named) => findName(named, marks, admission) ?? getLabel(undefined),
        (agentId) => agents.get(agentId)?.title ?? agentId,
      );
      this.#places.set(session, places);
    }
    return places;
  }
}

/** A session that can't be opened, or isn't yet, has no prompts to begin others at. */
function canBranch({ phase }: BranchedSession): boolean {
  return phase.kind === 'ready' || phase.kind === 'resumed';
}
