import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { DrawnPermission, DrawnText } from '../../shared/drawn';
import { literal, literalLine } from '../../shared/literal';
import { CodeBlock } from '../render/codeBlock';
import { Fold } from '../render/fold';
import { Locations } from '../render/locations';
import { Many } from '../render/many';
import { MoreText } from '../render/moreText';
import { ToolContent } from '../render/toolContent';

interface CallInQuestionProps {
  readonly permission: DrawnPermission;
}

/** The tool call that a person decides about, in full and as text: its title is no Markdown here (PE-9). */
export function CallInQuestion({ permission }: CallInQuestionProps): VNode {
  const { toolCall, own } = permission;
  const { title, content, rawInput } = toolCall;
  const command = commandOf(permission);
  return (
    <div class="card-call">
      {title !== command?.text && (
        <p class="card-subject">{own ? literalLine(title) : literal(title)}</p>
      )}
      {command && <Command command={command} />}
      {own?.act === 'command' && (
        <p class="card-subject">{l10n.t('It runs in {0}.', literalLine(own.folder))}</p>
      )}
      {own?.act === 'folder' && <p>{l10n.t('Let it read and write files there?')}</p>}
      <Locations call={toolCall} />
      <Many
        items={content}
        draw={(part, item) => <ToolContent key={item} content={part} item={item} whole />}
      />
      {rawInput && (
        <Fold
          part="rawInput"
          class="raw"
          normally={own !== undefined || (!command && content.length === 0)}
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

/** What agents that give no input of a command put into its title. */
function commandOf({ command, toolCall }: DrawnPermission): DrawnText | undefined {
  if (command) {
    return command;
  }
  const isCommand = toolCall.toolKind === 'execute' && toolCall.rawInput === undefined;
  return isCommand ? { text: toolCall.title, omitted: 0 } : undefined;
}

function Command({ command }: { readonly command: DrawnText }): VNode {
  return (
    <div class="card-command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is decided about has to be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{literal(command.text)}</code>
      </pre>
      <MoreText omitted={command.omitted} part="command" item={0} />
    </div>
  );
}
