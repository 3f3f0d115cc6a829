// Reports to the host whether the chat has the focus, so that one key leads in and out.
import { post } from './vscode-api';

export function reportFocus(target: Window): void {
  const postFocus = (has: boolean): void => post({ type: 'focused', has });
  target.addEventListener('focus', () => postFocus(true));
  target.addEventListener('blur', () => postFocus(false));
  if (target.document.hasFocus()) postFocus(true);
}
