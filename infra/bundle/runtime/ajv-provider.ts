/**
 * Stands in for the JSON Schema validator of `@modelcontextprotocol/sdk` (130 KB), which validates what a person is
 * asked through a client: our tools ask nothing.
 */
export class AjvJsonSchemaValidator {}
