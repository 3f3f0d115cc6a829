// What a tool has found out, line by line: the places that it names open in the editor.
import { type ReportView } from '../../src/shared/tool-view';
import { FileLink } from '../parts/file-link';
import { Visible } from '../parts/visible';
import { splitAtPlaces } from './places';

export function ReportBody({ view: { text, places } }: { view: ReportView }) {
  return (
    <div class="report" tabIndex={0} role="group" aria-label="Result">
      {text.split('\n').map((line, index) => (
        <div class="report-line" key={index}>
          {splitAtPlaces(line, places).map((part, at) =>
            part.place === undefined ? (
              <Visible key={at} text={part.text} />
            ) : (
              <FileLink key={at} path={part.place.path} line={part.place.line}>
                {part.text}
              </FileLink>
            ),
          )}
        </div>
      ))}
    </div>
  );
}
