import type { Command } from '../commands/run';
import type { Core } from '../core/core';
import { branches } from './branches/register';
import { cachedTranscripts } from './cachedTranscripts/register';
import { check } from './check/register';
import { comments } from './comments/register';
import { context } from './context/register';
import { diagnosis } from './diagnosis/register';
import { editorTools } from './editorTools/register';
import { glance } from './glance/register';
import { keepAwake } from './keepAwake/register';
import { mcp } from './mcp/register';
import { notifications } from './notifications/register';
import { plans } from './plans/register';
import { prompts } from './prompts/register';
import { registry } from './registry/register';
import { remote } from './remote/register';
import { review } from './review/register';
import { search } from './search/register';
import { sharing } from './sharing/register';
import { traces } from './traces/register';
import { transcriptText } from './transcriptText/register';
import { usage } from './usage/register';
import { worktrees } from './worktrees/register';

/** The features, each of which is a folder and its name here. */
export const features = {
  branches,
  cachedTranscripts,
  check,
  comments,
  context,
  diagnosis,
  editorTools,
  glance,
  keepAwake,
  mcp,
  notifications,
  plans,
  prompts,
  registry,
  remote,
  review,
  search,
  sharing,
  traces,
  transcriptText,
  usage,
  worktrees,
} as const;

/** What tests in VS Code get of the features. */
export type FeatureParts = UnionToIntersection<
  ReturnType<(typeof features)[keyof typeof features]['register']>['parts']
>;

type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** Builds all features on the core. */
export function registerFeatures(core: Core): {
  readonly commands: ReadonlyMap<string, Command>;
  readonly parts: FeatureParts;
} {
  const made = Object.values(features).map(({ register }) => register(core));
  return {
    commands: new Map(made.flatMap(({ commands }) => Object.entries(commands))),
    parts: Object.assign({}, ...made.map(({ parts }) => parts)) as FeatureParts,
  };
}
