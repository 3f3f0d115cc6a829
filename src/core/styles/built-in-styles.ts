// The output styles that come with Deft; a file of the same name replaces one.
import concise from './built-in/concise.md';
import explanatory from './built-in/explanatory.md';
import learning from './built-in/learning.md';
import proactive from './built-in/proactive.md';
import { defaultStyle, type OutputStyle, readStyle } from './output-style';

export const builtInStyles: readonly OutputStyle[] = [
  defaultStyle,
  ...Object.entries({ Proactive: proactive, Concise: concise, Explanatory: explanatory, Learning: learning }).flatMap(
    ([name, text]) => {
      const style = readStyle(text, { name, source: 'built-in', file: '' });
      return typeof style === 'string' ? [] : [style];
    },
  ),
];
