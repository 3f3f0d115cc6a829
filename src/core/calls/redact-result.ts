// Takes known credentials and control characters out of what tools return, before anything keeps or shows it.
import { type ToolView } from '../../shared/tool-view';
import { type UserBlock } from '../wire/wire';
import { cleanText, redactBlock, redactPart, redactText, redactValue, type Secrets } from '../text/redact';
import { type ToolProgress } from '../tool/tool';
import { type ExecutedCall } from './tool-call';

/** The block, the structured output and the texts after it. */
export function redactResult(result: ExecutedCall, secrets: Secrets): ExecutedCall {
  const { structured } = result;
  return {
    ...result,
    block: redactBlock(result.block, secrets),
    structured: typeof structured === 'string' ? cleanText(structured, secrets) : redactValue(structured, secrets),
    newMessages: result.newMessages.map((block): UserBlock => {
      if (block.type === 'text') return { ...block, text: cleanText(block.text, secrets) };
      return block.type === 'tool_result' ? redactBlock(block, secrets) : block;
    }),
  };
}

/** Progress shows a moving part of the output: a secret that its edges cut is taken out too. */
export function redactProgress(progress: ToolProgress, secrets: Secrets): ToolProgress {
  if (progress.kind === 'text') return { ...progress, text: redactText(progress.text, secrets) };
  if (progress.kind === 'view')
    return {
      ...progress,
      text: redactText(progress.text, secrets),
      view: redactValue(progress.view, secrets) as ToolView,
    };
  return {
    ...progress,
    progress: { ...progress.progress, tail: redactPart(progress.progress.tail, secrets) },
  };
}
