// Thumbnails of the images that go with the message, and what is still being read.
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { focusComposer, images, setImages } from '../state/draft';
import { reading } from '../state/taking';

export function AttachedImages() {
  if (images.value.length === 0 && reading.value.length === 0) return null;
  const remove = (key: string) => {
    setImages(images.peek().filter((image) => image.key !== key));
    focusComposer();
  };
  return (
    <ul class="thumbnails" aria-label="Attached images">
      {images.value.map((image) => (
        <li class="thumbnail" key={image.key}>
          <img
            src={`data:${image.mediaType};base64,${image.data}`}
            alt={image.name}
            title={image.name}
            draggable={false}
          />
          <IconButton icon="close" label={`Remove ${image.name}`} onClick={() => remove(image.key)} />
        </li>
      ))}
      {reading.value.map((name) => (
        <li class="reading quiet">
          <Icon name="loading" spin />
          <span>Reading {name}</span>
        </li>
      ))}
    </ul>
  );
}
