// A block of Markdown as it is read aloud.
import { type Token } from 'marked';

export function plainText(token: Token): string {
  switch (token.type) {
    case 'space':
    case 'hr':
    case 'def':
    case 'html':
    case 'footnoteMark':
      return '';
    case 'code': {
      const lines = String(token['text'] ?? '').split('\n').length;
      return `Code block, ${lines} ${lines === 1 ? 'line' : 'lines'}.`;
    }
    case 'list':
      return (token['items'] as Token[]).map(plainText).join('. ');
    case 'table':
      return `Table with ${(token['rows'] as unknown[]).length} rows.`;
    case 'image':
      return String(token['text'] ?? '');
    case 'br':
      return ' ';
    default:
      return 'tokens' in token && token.tokens
        ? token.tokens.map(plainText).join('')
        : String('text' in token ? token['text'] : '');
  }
}
