// A picture that a tool took: as wide as the card, and whole at a click.
import { useState } from 'preact/hooks';
import { type PictureView } from '../../src/shared/tool-view';

export function PictureBody({ view: { data, mediaType, width, height, words } }: { view: PictureView }) {
  const [whole, setWhole] = useState(false);
  return (
    <button
      type="button"
      class={whole ? 'picture picture-whole' : 'picture'}
      aria-pressed={whole}
      title={whole ? 'Show it smaller' : 'Show it in its own size'}
      onClick={() => setWhole(!whole)}
    >
      <img src={`data:${mediaType};base64,${data}`} width={width} height={height} alt={`Picture of ${words}`} />
    </button>
  );
}
