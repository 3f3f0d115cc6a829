// What the scripted API of a soak answers: the turn that runs, and a short word to everything else.
import type { RecordedRequest } from '../../support/messages-api/recorded-requests';
import { reply, type ScriptedReply } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';

export interface SoakApi {
  readonly api: MessagesApi;
  /** The replies of the next turn; what is left of the last one is dropped. */
  script(replies: readonly ScriptedReply[]): void;
}

/** A wake-up when a background command ends, a summary, and the title of a session are asked for between the turns: they use up no reply. */
export async function startSoakApi(idPrefix: string): Promise<SoakApi> {
  let left: ScriptedReply[] = [];
  const isOfTurn = (request: RecordedRequest): boolean =>
    Array.isArray(request.body['tools']) &&
    request.body['tools'].length > 0 &&
    !lastText(request).startsWith('Your task is');
  const api = await startMessagesApi(
    (request) =>
      isOfTurn(request) ? (left.shift() ?? reply('Noted.')) : reply('What was done: files were read and edited.'),
    { idPrefix, keepBodies: false },
  );
  return { api, script: (replies) => void (left = [...replies]) };
}

function lastText(request: RecordedRequest): string {
  const message = (request.body['messages'] as { content: unknown }[] | undefined)?.at(-1);
  return typeof message?.content === 'string' ? message.content : '';
}
