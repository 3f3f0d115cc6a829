// Draws TeX as MathML, which the browser lays out and screen readers read. Loaded by the first formula that is shown.
import katex from 'katex';

/** `problem`: a sentence where it is no TeX. */
export type DrawnMath = { node: Node; problem?: undefined } | { node?: undefined; problem: string };

export function drawMath(tex: string, display: boolean): DrawnMath {
  const place = document.createElement('span');
  try {
    katex.render(tex, place, {
      displayMode: display,
      output: 'mathml',
      // No links, addresses of pictures or classes of the model's choice.
      trust: false,
      strict: 'ignore',
      throwOnError: true,
      maxExpand: 500,
      maxSize: 50,
    });
  } catch (error) {
    return { problem: `This formula could not be drawn: ${reasonOf(error)}` };
  }
  const math = place.querySelector('math');
  return math === null ? { problem: 'This formula could not be drawn.' } : { node: math };
}

/** Without the name of the library, and without the line under the place that it means. */
function reasonOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.replace(/^KaTeX parse error: /, '').replace(/\u0332/g, '');
}
