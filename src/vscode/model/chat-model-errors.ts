// What a request to one of VS Code's models fails with, as a ModelError with a sentence that says what to do next.
import { defined } from '../../shared/defined';
import { messageOf, ModelError, type ModelErrorKind } from '../../core/text/errors';
import { isVscodeModel, vscodeModelLabel } from '../../core/model/vscode-models';

interface Failure {
  kind: ModelErrorKind;
  missing?: 'model';
  sentence: string;
  retryable?: boolean;
}

/** By VS Code's own codes, then by the names and words that extensions use for the same. */
export function toChatModelError(error: unknown, model: string): ModelError {
  if (error instanceof ModelError) return error;
  const said = [
    ...new Set(
      chain(error)
        .map(messageOf)
        .filter((message) => message !== ''),
    ),
  ].join(': ');
  const { kind, missing, sentence, retryable = false } = failureOf(error, said, model);
  return new ModelError(
    said === '' ? sentence : `${sentence} VS Code says: ${said}`,
    { kind, ...defined({ missing }) },
    { retryable, cause: error },
  );
}

function failureOf(error: unknown, said: string, model: string): Failure {
  const names = chain(error).flatMap((link) => [link.name, String((link as { code?: unknown }).code ?? '')]);
  const named = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (named(/quota/i) || /\bquota\b|allowance|premium requests?|usage limit/i.test(said)) {
    return {
      kind: 'spend_limit',
      sentence: `Your plan's quota for ${model} is used up. Pick another model with "Deft: Select Model", or check your plan.`,
    };
  }
  if (named(/ratelimit/i) || /rate.?limit|too many requests|\b429\b/i.test(said))
    return { kind: 'rate_limit', sentence: `${model} received too many requests in a short time.`, retryable: true };
  if (named(/^NoPermissions$/))
    return {
      kind: 'invalid_request',
      sentence: `Deft may not use ${model} yet. Send the message again and allow it when VS Code asks, or allow it under "Manage Language Model Access".`,
    };
  if (named(/^Blocked$/))
    return {
      kind: 'spend_limit',
      sentence: `VS Code blocks Deft from using ${model}: a limit is reached or a policy forbids it. Try later, or pick another model with "Deft: Select Model".`,
    };
  if (named(/^NotFound$/))
    return {
      kind: 'not_found',
      missing: 'model',
      sentence: `VS Code no longer offers ${model}. Pick another one with "Deft: Select Model".`,
    };
  if (
    /too (long|large)|context (length|window)|(maximum|max|limit).{0,40}tokens|tokens?.{0,40}(exceed|maximum|limit)/i.test(
      said,
    )
  ) {
    return { kind: 'too_large', sentence: `The conversation is too large for ${model}.` };
  }
  if (/\b5\d\d\b|overloaded|unavailable|timed? ?out|network|fetch failed|ECONN|ENOTFOUND|EAI_AGAIN|socket/i.test(said))
    return { kind: 'server', sentence: `${model} could not be reached.`, retryable: true };
  return { kind: 'server', sentence: `${model} did not answer.` };
}

function chain(error: unknown): Error[] {
  const links: Error[] = [];
  for (let link = error; link instanceof Error && links.length < 6 && !links.includes(link); link = link.cause)
    links.push(link);
  return links.length > 0 ? links : [new Error(String(error))];
}

/** No extension offers a model now. */
export function noChatModel(): ModelError {
  return new ModelError(
    'VS Code offers no model that can call tools. Sign in to the extension that provides models, or choose another provider with "Deft: Select Provider".',
    { kind: 'not_found', missing: 'any-model' },
    { retryable: false },
  );
}

/** Another model answers only where the user knows of it. */
export function noSuchChatModel(name: string): ModelError {
  return new ModelError(
    `VS Code offers no model "${isVscodeModel(name) ? vscodeModelLabel(name) : name}". Pick one that it offers with "Deft: Select Model".`,
    { kind: 'not_found', missing: 'model' },
    { retryable: false },
  );
}

/** Not tried again by itself: another try may hang as long. */
export function stalledChatModel(model: string, milliseconds: number): ModelError {
  return new ModelError(
    `The reply stalled: nothing came from ${model} for ${Math.round(milliseconds / 60_000)} minutes. Send a message to continue, or pick another model with "Deft: Select Model".`,
    { kind: 'stalled' },
    { retryable: false },
  );
}
