import type * as vscode from 'vscode';
import { asString, isObject } from '../../../util/json';
import { type EditorTool, ToolRefusal } from '../model/tool';
import { describePlaces, limitsOf, type Place } from './filePlaces';
import { findNamed, namedProperties } from './findNamed';
import { ask, askSettled } from './languageAnswers';

const maxHover = 10_000;
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
      const { items, doubt } = await askSettled(document.languageId, signal, () =>
        ask<Found>(command, document.uri, position),
      );
      const what = `${plural} of \`${word}\``;
      const text = await describePlaces(what, items.map(toPlace), session, args);
      return limitsOf(session) + text + doubt;
    },
  };
}

const hover: EditorTool = {
  name: 'hover',
  description: 'The type and documentation of a symbol, as the editor shows them.',
  properties: namedProperties,
  run: async (args, session, signal) => {
    const { document, position, word } = await findNamed(args, session);
    const { items, doubt } = await askSettled(document.languageId, signal, () =>
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
