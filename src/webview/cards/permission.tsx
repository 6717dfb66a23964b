import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { literal, literalLine } from '../../shared/literal';
import type { OfferedRule, PermissionOption } from '../../shared/requests/agentQuestions';
import { optionIcons } from '../../shared/requests/optionIcons';
import { askerName } from '../../shared/transcript/askerName';
import type { ToolKind } from '../../shared/transcript/content';
import type { DrawnPermission } from '../../shared/transcript/drawn';
import type { OwnAsk } from '../../shared/transcript/entries';
import { isComposing } from '../keys/composing';
import { Icon } from '../parts/icon';
import { useTranscript } from '../state/context';
import { CallInQuestion, useIsInCall } from './callInQuestion';
import { Card, Outcome } from './card';
import { usePlace } from './place';
import { useReady } from './useReady';

interface PermissionProps {
  readonly permission: DrawnPermission;
}

/** PE-2 to PE-9: an agent's permission request, and its outcome once it is decided. */
export function Permission({ permission }: PermissionProps): VNode {
  return permission.state.kind === 'waiting' ? (
    <Asked permission={permission} />
  ) : (
    <Decided permission={permission} />
  );
}

const wishes: Readonly<Record<ToolKind, (agent: string) => string>> = {
  read: (agent) => l10n.t('{0} wants to read', agent),
  edit: (agent) => l10n.t('{0} wants to change files', agent),
  delete: (agent) => l10n.t('{0} wants to delete files', agent),
  move: (agent) => l10n.t('{0} wants to move files', agent),
  search: (agent) => l10n.t('{0} wants to search', agent),
  execute: (agent) => l10n.t('{0} wants to run a command', agent),
  think: (agent) => l10n.t('{0} wants to think', agent),
  fetch: (agent) => l10n.t('{0} wants to fetch from the network', agent),
  switch_mode: (agent) => l10n.t('{0} wants to switch its mode', agent),
  other: (agent) => l10n.t('{0} wants to use a tool', agent),
};

/** Titles of requests that the extension makes rather than the agent. */
const ownWishes: Readonly<Record<OwnAsk['act'], (agent: string) => string>> = {
  write: (agent) => l10n.t('{0} wants to write a file it didn’t ask permission for', agent),
  edit: wishes.edit,
  run: wishes.execute,
  command: (agent) => l10n.t('{0} wants to run a command it didn’t ask permission for', agent),
  folder: (agent) => l10n.t('{0} names a folder outside this window', agent),
};

function findWish({ own, toolCall }: DrawnPermission): (agent: string) => string {
  if (own) {
    return ownWishes[own.act];
  }
  const { toolKind, content } = toolCall;
  const hasPlan = toolKind === 'switch_mode' && content.some(({ type }) => type === 'block');
  return hasPlan ? (agent) => l10n.t('{0} has a plan', agent) : wishes[toolKind];
}

function Asked({ permission }: PermissionProps): VNode {
  const { state, post } = useTranscript();
  const card = useRef<HTMLElement>(null);
  const choices = useRef<HTMLDivElement>(null);
  const isFirst = usePlace().position === 1;
  const [isAnswered, setAnswered] = useState(false);
  const ready = useReady(choices, isFirst) && !isAnswered;
  const { requestId, options, toolCall } = permission;
  const choose = ({ optionId }: PermissionOption): void => {
    setAnswered(true);
    post({ type: 'answerPermission', requestId, optionId });
  };
  const keys = assignKeys(options);
  useDigits(card, (digit) => {
    const option = options[keys.indexOf(digit)];
    if (ready && option) {
      choose(option);
    }
  });
  const agentTitle = askerName(permission.from, literalLine(state.agentTitle.value));
  const isInCall = useIsInCall(permission);
  const { title = toolCall.title } = permission;
  return (
    <Card
      icon="shield"
      title={findWish(permission)(agentTitle)}
      subject={isInCall && permission.title === undefined ? undefined : title}
      label={literalLine(title)}
      isInCall={isInCall}
      card={card}
    >
      <CallInQuestion permission={permission} />
      <div class="card-choices" ref={choices}>
        {options.map((option, at) => (
          <Choice
            key={option.optionId}
            option={option}
            digit={keys[at]}
            ready={ready}
            onChoose={() => ready && choose(option)}
          />
        ))}
      </div>
      {permission.rule && (
        <RuleOffer
          rule={permission.rule}
          ready={ready}
          onChoose={() => ready && post({ type: 'allowByRule', requestId })}
        />
      )}
    </Card>
  );
}

interface RuleOfferProps {
  readonly rule: OfferedRule;
  readonly ready: boolean;
  readonly onChoose: () => void;
}

/** The way to a rule for exactly this command, or for the one file that would be changed (PE-5). */
function RuleOffer({ rule, ready, onChoose }: RuleOfferProps): VNode {
  const { state } = useTranscript();
  const label =
    'command' in rule
      ? l10n.t('Always allow “{0} …” by a rule', literal(rule.command.join(' ')))
      : l10n.t('Always allow changes of “{0}” by a rule', literal(rule.path));
  return (
    <p class="card-rule">
      <button type="button" class="text-button" aria-disabled={!ready} onClick={onChoose}>
        {label}
      </button>
      <span class="card-rule-reach">
        {l10n.t(
          'In every session of {0}, in trusted workspaces, until you remove it from your settings.',
          literalLine(state.agentTitle.value),
        )}
      </span>
    </p>
  );
}

/**
 * Each kind always has the same digit, whatever the agent's order, so that the user doesn't allow
 * permanently what was meant to be allowed once.
 */
const kindKeys: Readonly<Partial<Record<PermissionOption['kind'], number>>> = {
  allow_once: 1,
  allow_always: 2,
  reject_once: 3,
  reject_always: 4,
};
const firstOtherKey = 5;
const lastKey = 9;

/**
 * The options' digits: the first option of a kind gets its kind's digit, the others get free digits
 * in the agent's order.
 */
function assignKeys(options: readonly PermissionOption[]): readonly (number | undefined)[] {
  const taken = new Set<number>();
  let next = firstOtherKey;
  return options.map(({ kind }) => {
    const own = kindKeys[kind];
    if (own !== undefined && !taken.has(own)) {
      taken.add(own);
      return own;
    }
    return next <= lastKey ? next++ : undefined;
  });
}

/** The look of a choice by its kind, which the agent chooses and which is only a hint (PE-2). */
const choiceLooks: Readonly<Record<PermissionOption['kind'], string>> = {
  allow_once: 'button',
  allow_always: 'button button-secondary',
  reject_once: 'button button-secondary',
  reject_always: 'button button-secondary',
  other: 'button button-neutral',
};

/** What a kind does, whatever the agent calls the option. */
const effects: Readonly<Partial<Record<PermissionOption['kind'], string>>> = {
  allow_once: l10n.t('Allows it once'),
  allow_always: l10n.t('Always allows it'),
  reject_once: l10n.t('Rejects it'),
  reject_always: l10n.t('Always rejects it'),
};

interface ChoiceProps {
  readonly option: PermissionOption;
  readonly digit: number | undefined;
  readonly ready: boolean;
  readonly onChoose: () => void;
}

function Choice({ option, digit, ready, onChoose }: ChoiceProps): VNode {
  return (
    <button
      type="button"
      class={choiceLooks[option.kind]}
      aria-disabled={!ready}
      aria-keyshortcuts={digit?.toString()}
      aria-description={effects[option.kind]}
      title={effects[option.kind]}
      onClick={onChoose}
    >
      <Icon name={optionIcons[option.kind]} />
      <bdi>{literal(option.name)}</bdi>
      {digit !== undefined && (
        <span class="card-key" aria-hidden="true">
          {digit}
        </span>
      )}
    </button>
  );
}

/** Handles digits pressed while the focus is on the card's row or inside it. */
function useDigits(
  card: { readonly current: HTMLElement | null },
  onDigit: (digit: number) => void,
): void {
  // A layout effect, so that a key never acts on a previous render.
  useLayoutEffect(() => {
    const row = card.current?.closest<HTMLElement>('[data-index]');
    const onKey = (event: KeyboardEvent): void => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
      if (isPlain && !event.repeat && !isComposing(event) && /^[1-9]$/.test(event.key)) {
        event.preventDefault();
        onDigit(Number(event.key));
      }
    };
    row?.addEventListener('keydown', onKey);
    return () => row?.removeEventListener('keydown', onKey);
  });
}

interface Decision {
  readonly byPerson: string;
  readonly byRule: string;
}

const decisions: Readonly<Record<PermissionOption['kind'], Decision>> = {
  allow_once: {
    byPerson: l10n.t('Allowed once by you'),
    byRule: l10n.t('Allowed once by your rule'),
  },
  allow_always: {
    byPerson: l10n.t('Always allowed by you'),
    byRule: l10n.t('Always allowed by your rule'),
  },
  reject_once: {
    byPerson: l10n.t('Rejected by you'),
    byRule: l10n.t('Rejected by your rule'),
  },
  reject_always: {
    byPerson: l10n.t('Always rejected by you'),
    byRule: l10n.t('Always rejected by your rule'),
  },
  other: {
    byPerson: l10n.t('Answered by you'),
    byRule: l10n.t('Answered by your rule'),
  },
};

/** The user's answer to the extension's own question is remembered until the session is closed. */
const forSession = l10n.t('Allowed for this session by you');
/** No other answer is given without the user. */
const byExtension = l10n.t('Allowed by ACP Sessions: one of its own tools');

function Decided({ permission }: PermissionProps): VNode {
  const { state, options, toolCall } = permission;
  const isInCall = useIsInCall(permission);
  const chosen =
    state.kind === 'selected'
      ? options.find(({ optionId }) => optionId === state.optionId)
      : undefined;
  const by = state.kind === 'selected' ? state.by : undefined;
  const decision = chosen && decisions[chosen.kind];
  const isForSession = permission.own !== undefined && chosen?.kind === 'allow_always';
  const byPerson = isForSession ? forSession : decision?.byPerson;
  const decided = by === 'extension' ? byExtension : by === 'rule' ? decision?.byRule : byPerson;
  return (
    <Outcome
      icon={chosen ? optionIcons[chosen.kind] : 'circle-slash'}
      text={decided ?? l10n.t('Canceled')}
      subject={isInCall ? undefined : (permission.title ?? toolCall.title)}
    >
      {() => (
        <>
          {chosen && <p class="card-note">{l10n.t('Answer: {0}', literal(chosen.name))}</p>}
          <CallInQuestion permission={permission} />
        </>
      )}
    </Outcome>
  );
}
