// Sentences for the model name a tool only where it is offered: in a part of a template that needs it (core/text/words.ts), or in the tool's own words.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import path from 'pathe';
import { getAllBaseTools } from '../../../src/core/tools/registry';
import { namedTools } from '../../support/named-tools';
import { filesBelow, projectRoot, sourceFiles } from './source-files';

const names = getAllBaseTools().map(({ name }) => name);

/** No sentence for the model, or one that is only said where the tool is there. */
const allowed: Readonly<Record<string, string>> = {
  'src/core/features/skills/forked-skill.ts': 'the word Skill, in the title of an agent',
  'src/core/permissions/bash/shell-word.ts': "names of the parser's nodes",
};

/** The tool whose own file this is: task-create.ts, web-fetch-page.ts. */
function ownTool(file: string): string | undefined {
  const base = path.basename(file).replace(/\.(?:ts|md)$/, '');
  const kebab = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return names.filter((name) => base === kebab(name) || base.startsWith(`${kebab(name)}-`)).at(-1);
}

/** Tools that a template names where it does not ask for them. */
function stray(template: string, own: string | undefined): string[] {
  const found: string[] = [];
  const plain = template.replace(/\{\{[A-Z]\w*(?:(?:, | or )[A-Z]\w*)*\}\}/g, '');
  const rest = plain.replace(
    /\{\{([^:{}]+): ((?:[^{}]|\{(?!\{)|\}(?!\}))*)\}\}/g,
    (_part, needs: string, text: string) => {
      found.push(...namedTools(text).filter((name) => !needs.split(/, |\|/).includes(name)));
      return '';
    },
  );
  return [...found, ...namedTools(rest)].filter((name) => name !== own);
}

function templateText(node: ts.TemplateLiteral): string {
  return ts.isNoSubstitutionTemplateLiteral(node)
    ? node.text
    : [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('0');
}

/** Texts of a source file that have words in them, templates in one piece. */
function texts(tree: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(templateText(node));
    else if (ts.isStringLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found.filter((text) => /\s/.test(text));
}

describe('tools that sentences for the model name', () => {
  const files = sourceFiles('src/core');

  it('are asked for, in sentences of the code', () => {
    const found = files.flatMap((file) =>
      texts(file.tree).flatMap((text) => {
        const named = stray(text, ownTool(file.path));
        return named.length === 0 || file.path in allowed ? [] : [`${file.path}: ${named.join(', ')} in "${text}"`];
      }),
    );
    assert.ok(files.length > 500, 'saw no files');
    assert.deepEqual(found, []);
  });

  it('are asked for, in prompts', () => {
    const prompts = filesBelow('src/core').filter((file) => file.endsWith('.md'));
    assert.ok(prompts.length > 30, 'saw no prompts');
    const found = prompts.flatMap((file) =>
      stray(readFileSync(path.join(projectRoot, file), 'utf8'), ownTool(file)).map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(found, []);
  });

  it('have exceptions that are needed', () => {
    for (const [file, reason] of Object.entries(allowed)) {
      const source = files.find((one) => one.path === file);
      assert.ok(
        source !== undefined && texts(source.tree).some((text) => stray(text, ownTool(file)).length > 0),
        `${file}: ${reason}`,
      );
    }
  });
});
