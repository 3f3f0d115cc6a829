// Lint rules of this project: the caps on functions and interfaces, and the files that are not under them yet.
import { builtinRules } from 'eslint/use-at-your-own-risk';

/** What a function or an interface may have at most. */
export const caps = { functionLines: 100, complexity: 20, parameters: 5, members: 20 };

/** The rules that hold the caps. */
export const capRules = {
  'house/max-lines-per-function': ['error', { max: caps.functionLines }],
  complexity: ['error', caps.complexity],
  'max-params': ['error', caps.parameters],
  'house/max-members': ['error', { max: caps.members }],
};

/** `describe('…', () => { … })` and `describe('…', function () { … })` are chapters, not functions. */
function isChapter(node) {
  const call = node.parent;
  if (call?.type !== 'CallExpression' || !call.arguments.includes(node)) return false;
  const callee = call.callee.type === 'MemberExpression' ? call.callee.object : call.callee;
  return callee.type === 'Identifier' && callee.name === 'describe';
}

const maxLines = builtinRules.get('max-lines-per-function');
const functionLength = {
  meta: maxLines.meta,
  create: (context) =>
    maxLines.create(
      Object.create(context, {
        report: { value: (finding) => (isChapter(finding.node) ? undefined : context.report(finding)) },
      }),
    ),
};

const members = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'object', properties: { max: { type: 'integer' } }, additionalProperties: false }],
    messages: { tooMany: "'{{name}}' has too many members ({{count}}). Maximum allowed is {{max}}." },
  },
  create(context) {
    const [{ max }] = context.options;
    const check = (node, name, all) => {
      if (all.length > max) context.report({ node, messageId: 'tooMany', data: { name, count: all.length, max } });
    };
    return {
      TSInterfaceDeclaration: (node) => check(node, node.id.name, node.body.body),
      // `type A = { … }`, alone or as a part of an intersection, is an interface by another name.
      TSTypeAliasDeclaration: (node) => {
        const parts =
          node.typeAnnotation.type === 'TSIntersectionType' ? node.typeAnnotation.types : [node.typeAnnotation];
        const own = parts.flatMap((part) => (part.type === 'TSTypeLiteral' ? part.members : []));
        check(node, node.id.name, own);
      },
    };
  },
};

export const house = { rules: { 'max-lines-per-function': functionLength, 'max-members': members } };
