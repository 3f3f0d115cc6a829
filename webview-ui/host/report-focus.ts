// Tells the host whether the chat has the focus, so that one key leads in and out.
import { post } from './vscode-api';

export function reportFocus(target: Window): void {
  const tell = (has: boolean): void => post({ type: 'focused', has });
  target.addEventListener('focus', () => tell(true));
  target.addEventListener('blur', () => tell(false));
  if (target.document.hasFocus()) tell(true);
}
