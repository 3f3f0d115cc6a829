// How a tool's output looks to hooks: the shapes that other agents document, whatever the tool itself keeps.
import { type ZodType, type ZodTypeDef } from 'zod/v3';
import { type Path } from '../ports/path';
import { type UserBlock } from '../wire/wire';

/** What a call returned, as far as hooks may see and replace it. */
export interface HookedResult<Output> {
  data: Output;
  /** Appended to the user message after all tool results. */
  newMessages?: UserBlock[];
  /** What hooks are shown in addition to `data`, and neither the log nor the model gets. Only made where a hook looks. */
  forHooks?: () => Readonly<Record<string, unknown>>;
}

/** `Given` is the public shape as hooks may write it: what carries text is required in it, the rest is the tool's own. */
export interface HookOutput<Input, Output, Given = unknown> {
  shape: ZodType<Given, ZodTypeDef, unknown>;
  show(result: HookedResult<Output>, call: ShownCall<Input>): unknown;
  /**
   * Only asked where a hook has changed something. Text that the hook did not give back is gone; what only Deft needs stays.
   * A string is the reason why it cannot be used.
   */
  read(given: Given, result: HookedResult<Output>, shown: Given): HookedResult<Output> | string;
  /** Files that hold the output's text, with what they are to hold now; `now` is undefined where all of it is withheld. */
  files?(before: Output, now: Output | undefined): KeptFile[];
}

export interface ShownCall<Input> {
  input: Input;
  toolUseId: string;
}

export interface KeptFile {
  path: Path;
  text: string;
}

/** Checks that a tool's mapping agrees with itself. */
export function hookOutput<Input, Output, Given>(mapping: HookOutput<Input, Output, Given>): HookOutput<Input, Output> {
  return mapping;
}

/** Sentences of Deft's own about a file, after a hook has changed how the file is named. */
export function withName(sentence: string, before: string, now: string): string {
  return before === now || before === '' ? sentence : sentence.replaceAll(before, now);
}

/** The value of a field that only a look at the output made: see HookedResult. */
export function textForHooks(result: HookedResult<unknown>, name: string): string | undefined {
  const value = result.forHooks?.()[name];
  return typeof value === 'string' ? value : undefined;
}
