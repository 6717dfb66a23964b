import { useComputed } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import type { DrawnPermission, DrawnRaw, DrawnToolCall } from '../../shared/transcript/drawn';
import { AskedTitle } from '../cards/callInQuestion';
import { Permission } from '../cards/permission';
import { CodeBlock } from '../code/codeBlock';
import { MoreText } from '../code/moreText';
import { Chevron, Fold, useFold } from '../parts/fold';
import { Icon } from '../parts/icon';
import { Many } from '../parts/many';
import { PlanItems } from '../parts/planItems';
import {
  CodeLanguageContext,
  EntryIndexContext,
  useEntryIndex,
  useTranscript,
} from '../state/context';
import { Subagent } from '../subagents/subagent';
import { Command } from '../toolCalls/command';
import { getEnding } from '../toolCalls/getEnding';
import { Locations } from '../toolCalls/locations';
import { ToolContentView } from '../toolCalls/toolContent';
import { statusLook, toolIcons } from '../toolCalls/toolLook';
import { Shortened } from './shortened';

interface ToolCallProps {
  readonly call: DrawnToolCall;
}

/**
 * A tool call: one line, followed by the questions about it, its changes and its terminals; the
 * rest of its content and its raw input and output unfold below.
 */
export function ToolCall({ call }: ToolCallProps): VNode {
  const questions = useQuestions();
  const asked = questions.find(({ permission }) => permission.state.kind === 'waiting');
  const [open, toggle] = useFold(
    'tool',
    call.status === 'failed' || call.toolKind === 'switch_mode',
  );
  const hasDetails =
    !asked &&
    (call.content.some(({ type }) => type === 'block') ||
      call.rawInput !== undefined ||
      call.rawOutput !== undefined);
  const showsDetails = hasDetails && open;
  const shown: DrawnToolCall = asked ? { ...call, asked: true } : call;
  const title = asked ? (
    <AskedTitle permission={asked.permission} />
  ) : (
    <Title title={call.title} isWhole={showsDetails} />
  );
  return (
    <div class={`entry tool tool-${call.status}`}>
      {hasDetails ? (
        <button type="button" class="tool-head" aria-expanded={open} onClick={toggle}>
          <ToolLine call={shown}>{title}</ToolLine>
          <Chevron open={open} />
        </button>
      ) : (
        <div class="tool-head">
          <ToolLine call={shown}>{title}</ToolLine>
        </div>
      )}
      {questions.map(({ index, permission }) => (
        <EntryIndexContext.Provider key={index} value={index}>
          <Permission permission={permission} />
          {permission.shortened && <Shortened />}
        </EntryIndexContext.Provider>
      ))}
      {!asked && <Done call={call} showsDetails={showsDetails} />}
      <StartedSubagents />
    </div>
  );
}

/** The subagents that the enclosing call started. */
function StartedSubagents(): VNode {
  const { state } = useTranscript();
  const index = useEntryIndex();
  const places = useComputed(() => state.rows.getQuestions(index)).value;
  return (
    <>
      {places.map((place) => {
        const subagent = state.entry(place).value;
        return (
          subagent?.kind === 'subagent' && (
            <EntryIndexContext.Provider key={place} value={place}>
              <Subagent subagent={subagent} />
            </EntryIndexContext.Provider>
          )
        );
      })}
    </>
  );
}

interface Question {
  readonly index: number;
  readonly permission: DrawnPermission;
}

/** The questions about the enclosing call. */
function useQuestions(): readonly Question[] {
  const { state } = useTranscript();
  const index = useEntryIndex();
  const places = useComputed(() => state.rows.getQuestions(index)).value;
  return places.flatMap((place) => {
    const permission = state.entry(place).value;
    return permission?.kind === 'permission' ? [{ index: place, permission }] : [];
  });
}

/**
 * The call's results so far; while a decision is pending, the question shows what the call would do
 * instead.
 */
function Done({ call, showsDetails }: ToolCallProps & { readonly showsDetails: boolean }): VNode {
  return (
    <>
      <Locations call={call} />
      {call.command && <Command command={call.command} />}
      {call.todos && <PlanItems items={call.todos} />}
      <CodeLanguageContext.Provider value={languageRead(call)}>
        <Many
          items={call.content}
          draw={(content, item) =>
            content.type === 'block' && !showsDetails ? null : (
              <ToolContentView key={item} content={content} item={item} />
            )
          }
        />
      </CodeLanguageContext.Provider>
      {showsDetails && <RawParts call={call} />}
    </>
  );
}

/** The language of the file, if the call has read exactly one. */
function languageRead({ toolKind, locations: [place, ...others] }: DrawnToolCall): string {
  return toolKind === 'read' && place && others.length === 0 ? getEnding(place.path) : '';
}

interface ToolLineProps extends ToolCallProps {
  /** The call's title. */
  readonly children: VNode;
}

function ToolLine({ call, children }: ToolLineProps): VNode {
  const { icon, label } = statusLook(call);
  return (
    <>
      <Icon name={toolIcons[call.toolKind]} class="tool-icon" />
      {children}
      {call.name && <span class="tool-name">{call.name}</span>}
      <span class="tool-status">
        <Icon name={icon} spin={call.status === 'in_progress' && !call.asked} />
        <span class={call.status === 'completed' && !call.asked ? 'sr-only' : undefined}>
          {label}
        </span>
      </span>
    </>
  );
}

function Title({ title, isWhole }: { readonly title: string; readonly isWhole: boolean }): VNode {
  return (
    <span class={isWhole ? 'tool-title' : 'tool-title one-line'} title={title}>
      {withCode(title)}
    </span>
  );
}

/** Agents put commands and paths in titles between backticks. */
function withCode(title: string): ComponentChildren {
  return title
    .split(/(`[^`]+`)/)
    .map((piece) => (/^`.+`$/s.test(piece) ? <code>{piece.slice(1, -1)}</code> : piece));
}

function RawParts({ call }: ToolCallProps): VNode {
  return (
    <>
      {call.rawInput && <RawPart label={l10n.t('Input')} part="rawInput" raw={call.rawInput} />}
      {call.rawOutput && <RawPart label={l10n.t('Output')} part="rawOutput" raw={call.rawOutput} />}
    </>
  );
}

interface RawPartProps {
  readonly label: string;
  readonly part: 'rawInput' | 'rawOutput';
  readonly raw: DrawnRaw;
}

/** TO-7: any JSON, formatted by the host, or text. */
function RawPart({ label, part, raw }: RawPartProps): VNode {
  return (
    <Fold part={part} class="raw" summary={<span>{label}</span>}>
      {() => (
        <>
          <CodeBlock text={raw.text} language={raw.isJson ? 'json' : ''} part={part} />
          <MoreText omitted={raw.omitted} part={part} item={0} />
        </>
      )}
    </Fold>
  );
}
