// A picture of an answer: files of the workspace are shown, those of the web are links, so that nothing is loaded unasked.
import { useEffect, useState } from 'preact/hooks';
import { type AnswerPicture } from '../../src/shared/answers';
import { request } from '../host/vscode-api';
import { FileLink, WebLink } from '../parts/file-link';
import { fileLinkOfTarget } from '../parts/link-target';

interface PictureProps {
  target: string;
  /** What it shows, in words. */
  words: string;
}

export function AnswerImage({ target, words }: PictureProps) {
  const file = fileLinkOfTarget(target);
  if (file !== undefined) return <LocalPicture key={file.path} path={file.path} words={words} />;
  return (
    <>
      <WebLink url={target}>{words || target}</WebLink>
      <span class="quiet"> (picture, not loaded from the web)</span>
    </>
  );
}

/** How large they were: one that scrolls into sight again moves nothing. */
const sizes = new Map<string, { width: number; height: number }>();

function LocalPicture({ path, words }: { path: string; words: string }) {
  const [picture, setPicture] = useState<AnswerPicture>();
  useEffect(() => {
    let gone = false;
    request('picture', { path }).then(
      (answer) => !gone && setPicture(answer),
      () => !gone && setPicture({ problem: 'it could not be read' }),
    );
    return () => void (gone = true);
  }, [path]);

  const size = sizes.get(path);
  const name = words || path;
  if (picture === undefined)
    return size ? <img class="answer-picture" width={size.width} height={size.height} alt={name} /> : <>{name}</>;
  if (picture.problem !== undefined)
    return (
      <>
        <FileLink path={path}>{name}</FileLink>
        <span class="quiet"> (picture not shown: {picture.problem})</span>
      </>
    );
  const { data, mediaType, width, height } = picture;
  sizes.set(path, { width, height });
  return (
    <FileLink path={path}>
      <img class="answer-picture" src={`data:${mediaType};base64,${data}`} width={width} height={height} alt={name} />
    </FileLink>
  );
}
