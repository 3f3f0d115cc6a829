// From zod to JSON Schema: every built-in tool has its properties, and a schema that would convert to nothing is refused.
import assert from 'node:assert/strict';
import { z } from 'zod/v3';
import { z as four } from 'zod/v4';
import { jsonSchemaOf } from '../../../../src/core/tool/tool-schema';
import { getAllBaseTools } from '../../../../src/core/tools/registry';

/** There is nothing to say. */
const withoutInput = ['EnterPlanMode', 'TaskList', 'TeamDelete'];

describe('jsonSchemaOf', () => {
  for (const tool of getAllBaseTools()) {
    it(`${tool.name} has properties, each described, and takes no others`, () => {
      const schema = jsonSchemaOf(tool.inputSchema as z.ZodTypeAny);
      const properties = Object.entries(schema.properties ?? {});
      assert.equal(properties.length === 0, withoutInput.includes(tool.name));
      for (const [name, property] of properties) {
        assert.ok(((property as { description?: string }).description ?? '').length > 3, `${name} has a description`);
      }
      assert.equal(schema.type, 'object');
      assert.equal(schema.additionalProperties, false);
      assert.equal('$schema' in schema, false);
      assert.ok(!JSON.stringify(schema).includes('$ref'));
      for (const name of schema.required ?? []) assert.ok(name in (schema.properties ?? {}));
    });
  }

  it('converts once for each schema', () => {
    const schema = z.object({ a: z.string() });
    assert.equal(jsonSchemaOf(schema), jsonSchemaOf(schema));
    assert.notEqual(jsonSchemaOf(z.object({ a: z.string() })), jsonSchemaOf(schema));
  });

  it('repeats shared parts instead of pointing at them', () => {
    const part = z.object({ x: z.number() });
    const schema = jsonSchemaOf(z.object({ a: part, b: part, list: z.array(part) }));
    assert.ok(!JSON.stringify(schema).includes('$ref'));
  });

  it('refuses a zod 4 schema, which would convert to nothing', () => {
    assert.throws(() => jsonSchemaOf(four.object({ a: four.string() }) as never), /zod v3 object/);
  });

  it('refuses what is not an object', () => {
    assert.throws(() => jsonSchemaOf(z.string()), /zod v3 object/);
    assert.throws(() => jsonSchemaOf(z.union([z.object({}), z.string()])), /zod v3 object/);
  });
});
