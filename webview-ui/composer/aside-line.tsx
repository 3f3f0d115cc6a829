// The draft that made room for a message to be written anew: had back with one click.
import { Button, IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { aside, attachImages, focusComposer, placeText, draft, setAside } from '../state/draft';

export function AsideLine() {
  const put = aside.value;
  if (put === null) return null;
  const back = () => {
    const written = draft.peek();
    attachImages(put.images);
    setAside(null);
    placeText(written.trim() === '' ? put.text : `${written}\n${put.text}`);
  };
  const drop = () => {
    setAside(null);
    focusComposer();
  };
  return (
    <div class="queued aside" role="group" aria-label="Your draft">
      <Icon name="edit" />
      <span class="queued-text" title={put.text}>
        Your draft: {put.text === '' ? 'images' : put.text}
      </span>
      <Button kind="quiet" label="Restore" title="Insert it below your text" onClick={back} />
      <IconButton icon="close" label="Discard your draft" onClick={drop} />
    </div>
  );
}
