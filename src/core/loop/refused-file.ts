// Recognizes a request that was refused for an image or a PDF in it.
import { ModelError } from '../text/errors';
import { type ModelRequest } from '../wire/wire';

/** A refusal that names an image or PDF (or that all but text in a failure is one too many), or a body too long, of a request that holds one. */
export function refusesFile(error: unknown, { messages }: ModelRequest): boolean {
  if (!(error instanceof ModelError)) return false;
  const { kind, status } = error.details;
  if (
    status !== 413 &&
    (kind !== 'invalid_request' || !/\bimage|\bpdf\b|\bdocument|all content must be type `text`/i.test(error.message))
  )
    return false;
  const isFile = ({ type }: { type: string }): boolean => type === 'image' || type === 'document';
  return messages.some(({ content }) =>
    content.some(
      (block) =>
        isFile(block) || (block.type === 'tool_result' && Array.isArray(block.content) && block.content.some(isFile)),
    ),
  );
}
