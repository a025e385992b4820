import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

const ajv = new AjvJsonSchemaValidator();
const compiled = new Map<string, JsonSchemaValidator<unknown>>();

/** Compiles each output schema of Purser once for all clients of a process: every world lists the same tools. */
export const sharedValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const key = JSON.stringify(schema);
    const known = compiled.get(key) ?? ajv.getValidator(schema);
    compiled.set(key, known);
    return known as JsonSchemaValidator<T>; // the caller chooses T, as with the library's own
  },
};
