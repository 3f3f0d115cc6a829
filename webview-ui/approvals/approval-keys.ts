// Which key answers an approval: Alt+Enter, Alt+Backspace, and on a Mac Cmd+Option+Backspace as in the diff.
export type KeyPress = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/** `editsText`: the focus is in text that is not empty, where Alt+Backspace removes a word. */
export function answerOfKey(
  { key, altKey, ctrlKey, metaKey, shiftKey }: KeyPress,
  platform: 'mac' | 'other',
  editsText: boolean,
): 'accept' | 'reject' | undefined {
  if (!altKey || ctrlKey || shiftKey) return undefined;
  if (key === 'Enter' && !metaKey) return 'accept';
  if (key !== 'Backspace') return undefined;
  if (metaKey) return platform === 'mac' ? 'reject' : undefined;
  return editsText ? undefined : 'reject';
}

/** The key that rejects, short and in words: the one that holds in the diff, too. */
export function rejectKeyOf(platform: 'mac' | 'other'): { hint: string; name: string } {
  const held = platform === 'mac' ? 'Cmd+Option' : 'Alt';
  return { hint: `${held}+⌫`, name: `${held}+Backspace` };
}
