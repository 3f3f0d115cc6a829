// What tells Deft's own sessions in a folder that may hold other files too: their ids, and the folders that a session has.

const ownId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a session's folder may hold; nothing else in it is ever removed. Edited summaries lie with the results. */
export const sessionFolders: readonly string[] = ['tool-results', 'checkpoints', 'summaries'];

export function isOwnSessionId(id: string): boolean {
  return ownId.test(id);
}
