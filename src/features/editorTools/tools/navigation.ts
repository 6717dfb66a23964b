import type * as vscode from 'vscode';
import { asString, isObject } from '../../../util/json';
import { type EditorTool, ToolRefusal, textArgument } from '../model/tool';
import { describePlaces, limitsOf, type Place } from './filePlaces';
import { findNamed, namedProperties } from './findNamed';
import { ask, askSettled } from './languageAnswers';

const maxHover = 10_000;
const maxName = 200;
const offset = { type: 'integer', description: 'The first result to show, from 1.' };

type Found = vscode.Location | vscode.LocationLink;

/** A tool that lists places about a symbol. */
function placesTool(
  name: string,
  plural: string,
  command: string,
  description: string,
): EditorTool {
  return {
    name,
    description,
    properties: { ...namedProperties, offset },
    run: async (args, session, signal) => {
      const { document, position, word } = await findNamed(args, session);
      const { items, doubt } = await askSettled(document, signal, () =>
        ask<Found>(command, document.uri, position),
      );
      const what = `${plural} of \`${word}\``;
      const text = await describePlaces(what, items.map(toPlace), session, args);
      return limitsOf(session) + text + doubt;
    },
  };
}

const callHierarchy: EditorTool = {
  name: 'call_hierarchy',
  description: 'What calls a function or method, or, with "direction": "outgoing", what it calls.',
  properties: {
    ...namedProperties,
    direction: { type: 'string', enum: ['incoming', 'outgoing'] },
    offset,
  },
  run: async (args, session, signal) => {
    const direction = textArgument(args, 'direction') ?? 'incoming';
    if (direction !== 'incoming' && direction !== 'outgoing') {
      throw new ToolRefusal('"direction" is "incoming" or "outgoing".');
    }
    const { document, position, word } = await findNamed(args, session);
    const { items, doubt } = await askSettled(document, signal, async () => {
      const [item] = await ask<vscode.CallHierarchyItem>(
        'vscode.prepareCallHierarchy',
        document.uri,
        position,
      );
      return item === undefined ? [] : await callsOf(item, direction);
    });
    const what = direction === 'incoming' ? `calls of \`${word}\`` : `calls in \`${word}\``;
    return limitsOf(session) + (await describePlaces(what, items, session, args)) + doubt;
  },
};

/** Where an item is called, and in what; or the definition of each that it calls. */
async function callsOf(
  item: vscode.CallHierarchyItem,
  direction: 'incoming' | 'outgoing',
): Promise<readonly Place[]> {
  if (direction === 'outgoing') {
    const calls = await ask<vscode.CallHierarchyOutgoingCall>('vscode.provideOutgoingCalls', item);
    return calls.map(({ to }) => ({ uri: to.uri, range: to.selectionRange, note: noteOf(to) }));
  }
  const calls = await ask<vscode.CallHierarchyIncomingCall>('vscode.provideIncomingCalls', item);
  return calls.flatMap(({ from, fromRanges }) =>
    fromRanges.map((range) => ({ uri: from.uri, range, note: `in ${noteOf(from)}` })),
  );
}

function noteOf({ name }: vscode.CallHierarchyItem): string {
  return name.slice(0, maxName);
}

const hover: EditorTool = {
  name: 'hover',
  description: 'The type and documentation of a symbol, as the editor shows them.',
  properties: namedProperties,
  run: async (args, session, signal) => {
    const { document, position, word } = await findNamed(args, session);
    const { items, doubt } = await askSettled(document, signal, () =>
      ask<vscode.Hover>('vscode.executeHoverProvider', document.uri, position),
    );
    const texts = items.flatMap(({ contents }) => contents.map(hoverText)).filter((text) => text);
    if (texts.length === 0) {
      throw new ToolRefusal(`Nothing is known of \`${word}\`.${doubt}`);
    }
    return `About \`${word}\`:\n\n${texts.join('\n\n').slice(0, maxHover)}`;
  },
};

/** How symbols are found and what is known of one. */
export const navigationTools: readonly EditorTool[] = [
  placesTool(
    'references',
    'references',
    'vscode.executeReferenceProvider',
    'Everywhere a symbol is used, exactly, with the lines’ text.',
  ),
  placesTool(
    'definition',
    'definitions',
    'vscode.executeDefinitionProvider',
    'Where a symbol is defined.',
  ),
  placesTool(
    'implementations',
    'implementations',
    'vscode.executeImplementationProvider',
    'What implements an interface, class or method.',
  ),
  placesTool(
    'type_definition',
    'type definitions',
    'vscode.executeTypeDefinitionProvider',
    'Where the type of a symbol is defined.',
  ),
  callHierarchy,
  hover,
];

function toPlace(found: Found): Place {
  return 'targetUri' in found
    ? { uri: found.targetUri, range: found.targetSelectionRange ?? found.targetRange }
    : found;
}

/** Also the older forms, in which some extensions still write. */
function hoverText(content: unknown): string {
  const text = isObject(content) ? content['value'] : content;
  return asString(text) ?? '';
}
