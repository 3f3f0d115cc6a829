// The ids of calls that continue in the background, apart from their code: the window asks for them before there is a chat.

export const callPrefix = 'call-';

/** Whether the task with this id is a call, which ends with its session, and no command. */
export function isBackgroundCall(taskId: string): boolean {
  return taskId.startsWith(callPrefix);
}
