import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import type { DrawnRaw, DrawnToolCall } from '../../shared/drawn';
import { CodeBlock } from './codeBlock';
import { Chevron, Fold, useFold } from './fold';
import { Icon } from './icon';
import { Locations } from './locations';
import { Many } from './many';
import { MoreText } from './moreText';
import { PlanItems } from './plan';
import { ToolContent } from './toolContent';
import { statusLooks, toolIcons } from './toolLook';

interface ToolCallProps {
  readonly call: DrawnToolCall;
}

/**
 * A tool call: one line, then what it changed and what it printed; the rest of its content and its
 * raw input and output open below it.
 */
export function ToolCall({ call }: ToolCallProps): VNode {
  const [open, toggle] = useFold(
    'tool',
    call.status === 'failed' || call.toolKind === 'switch_mode',
  );
  const hasDetails =
    call.content.some(({ type }) => type === 'block') ||
    call.rawInput !== undefined ||
    call.rawOutput !== undefined;
  const showsDetails = hasDetails && open;
  return (
    <div class={`entry tool tool-${call.status}`}>
      {hasDetails ? (
        <button type="button" class="tool-head" aria-expanded={open} onClick={toggle}>
          <ToolLine call={call} open={open} />
          <Chevron open={open} />
        </button>
      ) : (
        <div class="tool-head">
          <ToolLine call={call} open={false} />
        </div>
      )}
      <Locations call={call} />
      {call.todos && <PlanItems items={call.todos} />}
      <Many
        items={call.content}
        draw={(content, item) =>
          content.type === 'block' && !showsDetails ? null : (
            <ToolContent key={item} content={content} item={item} />
          )
        }
      />
      {showsDetails && <RawParts call={call} />}
    </div>
  );
}

function ToolLine({ call, open }: ToolCallProps & { readonly open: boolean }): VNode {
  const { icon, label } = statusLooks[call.status];
  return (
    <>
      <Icon name={toolIcons[call.toolKind]} class="tool-icon" />
      <span class={open ? 'tool-title' : 'tool-title one-line'} title={call.title}>
        {withCode(call.title)}
      </span>
      {call.name && <span class="tool-name">{call.name}</span>}
      <span class="tool-status">
        <Icon name={icon} spin={call.status === 'in_progress'} />
        <span class={call.status === 'completed' ? 'sr-only' : undefined}>{label}</span>
      </span>
    </>
  );
}

/** Agents put commands and paths of their titles between backticks. */
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

/** TO-7: any JSON, formatted by the host, or a text. */
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
