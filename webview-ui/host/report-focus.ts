// Tells the host whether the chat has the focus, so that one key leads in and out.
import { post } from './vscode-api';

export function reportFocus(target: Window): void {
  const tell = (): void => post({ type: 'focused', has: target.document.hasFocus() });
  target.addEventListener('focus', tell);
  target.addEventListener('blur', tell);
  if (target.document.hasFocus()) tell();
}
