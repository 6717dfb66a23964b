import { useComputed } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { literal, literalLine } from '../../shared/literal';
import type { DrawnPermission, DrawnText } from '../../shared/transcript/drawn';
import { CodeBlock } from '../code/codeBlock';
import { MoreText } from '../code/moreText';
import { Fold } from '../parts/fold';
import { Many } from '../parts/many';
import { useEntryIndex, useTranscript } from '../state/context';
import { Command } from '../toolCalls/command';
import { Locations } from '../toolCalls/locations';
import { ToolContentView } from '../toolCalls/toolContent';

interface CallInQuestionProps {
  readonly permission: DrawnPermission;
}

/**
 * The tool call to decide about, in full and as plain text: its title isn't rendered as Markdown
 * here (PE-9). Inside its call's entry, the title is omitted because the entry shows it.
 */
export function CallInQuestion({ permission }: CallInQuestionProps): VNode {
  const { toolCall, own } = permission;
  const { title, content, rawInput } = toolCall;
  const isInCall = useIsInCall(permission);
  const folders = own && 'folder' in own ? [own.folder] : (permission.folders ?? []);
  const whole = findCommand(permission);
  const command = isInCall && isTitle(permission, whole) ? undefined : whole;
  return (
    <div class="card-call">
      {permission.title !== undefined && <p class="card-ask">{literal(permission.title)}</p>}
      {permission.description !== undefined && (
        <p class="card-message">{literal(permission.description)}</p>
      )}
      {!isInCall && title !== command?.text && (
        <p class="card-subject">{own ? literalLine(title) : literal(title)}</p>
      )}
      {command && <Command command={command} />}
      {folders.map((folder) => (
        <p key={folder} class="card-subject">
          {l10n.t('It runs in {0}.', literalLine(folder))}
        </p>
      ))}
      {permission.variables?.map((variable) => (
        <p key={variable} class="card-subject">
          {l10n.t('It sets {0}.', literalLine(variable))}
        </p>
      ))}
      {own?.act === 'folder' && <p>{l10n.t('Let it read and write files there?')}</p>}
      <Locations call={toolCall} />
      <Many
        items={content}
        draw={(part, item) => <ToolContentView key={item} content={part} item={item} whole />}
      />
      {rawInput && (
        <Fold
          part="rawInput"
          class="raw"
          normally={own !== undefined || (!whole && content.length === 0)}
          summary={<span>{l10n.t('Input')}</span>}
        >
          {() => (
            <>
              <CodeBlock
                text={literal(rawInput.text)}
                language={rawInput.isJson ? 'json' : ''}
                part="rawInput"
              />
              <MoreText omitted={rawInput.omitted} part="rawInput" item={0} />
            </>
          )}
        </Fold>
      )}
    </div>
  );
}

/**
 * The title in a call's line while a decision is pending: in full, as plain text, and as code if it
 * is the command.
 */
export function AskedTitle({ permission }: CallInQuestionProps): VNode {
  const command = findCommand(permission);
  return (
    <span class="tool-title tool-title-asked">
      {command && isTitle(permission, command) ? (
        <code>{literal(command.text)}</code>
      ) : (
        literal(permission.toolCall.title)
      )}
    </span>
  );
}

/** Whether the call's title consists only of its command, with or without backticks. */
function isTitle(
  { toolCall: { title } }: DrawnPermission,
  command: DrawnText | undefined,
): boolean {
  return command?.omitted === 0 && [command.text, `\`${command.text}\``].includes(title);
}

/** Whether the question is drawn inside its call's entry: then the row is the call's. */
export function useIsInCall({ call }: DrawnPermission): boolean {
  const { state } = useTranscript();
  const index = useEntryIndex();
  return useComputed(() => call !== undefined && state.rows.getRow(index) === call).value;
}

/** The command; some agents send no input and put the command into the title. */
function findCommand({ command, toolCall }: DrawnPermission): DrawnText | undefined {
  if (command) {
    return command;
  }
  const isCommand = toolCall.toolKind === 'execute' && toolCall.rawInput === undefined;
  return isCommand ? { text: toolCall.title, omitted: 0 } : undefined;
}
