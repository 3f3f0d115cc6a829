// Keep and Undo for a file that Deft has changed, in the card of the call that did.
import { post } from '../host/vscode-api';
import { TextLink } from '../parts/file-link';
import { chat } from '../state/chat';

/** While the file's changes are unsettled; they concern the whole file. */
export function ReviewButtons({ path }: { path: string }) {
  if (!chat.facts.value.changes.some((change) => change.path === path)) return null;
  return (
    <>
      <TextLink title={`Keep the changes in ${path}`} onOpen={() => post({ type: 'review', action: 'keep', path })}>
        Keep
      </TextLink>
      <TextLink title={`Undo the changes in ${path}`} onOpen={() => post({ type: 'review', action: 'undo', path })}>
        Undo
      </TextLink>
    </>
  );
}
