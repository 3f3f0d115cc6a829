// Thumbnails of the images that go with the message.
import { IconButton } from '../parts/button';
import { focusComposer, images, setImages } from '../state/draft';

export function AttachedImages() {
  if (images.value.length === 0) return null;
  const remove = (key: string) => {
    setImages(images.peek().filter((image) => image.key !== key));
    focusComposer();
  };
  return (
    <ul class="thumbnails" aria-label="Attached images">
      {images.value.map((image) => (
        <li class="thumbnail" key={image.key}>
          <img src={`data:${image.mediaType};base64,${image.data}`} alt={image.name} title={image.name} />
          <IconButton icon="close" label={`Remove ${image.name}`} onClick={() => remove(image.key)} />
        </li>
      ))}
    </ul>
  );
}
