// The language model tools that Deft gives to VS Code's chat and other extensions: deft_review and deft_rewind.
import * as vscode from 'vscode';
import { importedOnce } from '../host/imported-once';
import { type WindowParts } from './window-parts';

/** What they say is put together at their first call. */
export function registerWayBackTools(window: WindowParts): vscode.Disposable[] {
  const { changes } = window.options;
  const services = { changes, chat: () => window.places.current()?.chat };
  const wayBack = importedOnce(() => import('../rewind/way-back'));
  return [
    vscode.lm.registerTool('deft_review', {
      invoke: async () => {
        await changes.restored;
        return textResult((await wayBack()).reviewText(services));
      },
    }),
    vscode.lm.registerTool<{ checkpoint?: unknown }>('deft_rewind', {
      prepareInvocation: async ({ input }) => {
        const checkpoint = checkpointOf(input);
        if (checkpoint === undefined) return { invocationMessage: "Listing Deft's checkpoints" };
        const message = await (await wayBack()).rewindQuestion(checkpoint, services);
        return {
          invocationMessage: 'Rewinding files',
          confirmationMessages: { title: 'Rewind the work of Deft?', message },
        };
      },
      invoke: async ({ input }) => {
        const checkpoint = checkpointOf(input);
        if (checkpoint === undefined) return textResult(await (await wayBack()).pointsText(services));
        return textResult(await (await import('../rewind/rewind-for-tool')).rewindFor(checkpoint, services));
      },
    }),
  ];
}

function checkpointOf(input: { checkpoint?: unknown } | undefined): string | undefined {
  const checkpoint = input?.checkpoint;
  return typeof checkpoint === 'string' && checkpoint !== '' ? checkpoint : undefined;
}

function textResult(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}
