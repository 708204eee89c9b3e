/**
 * A text in JSON, or a comma behind the last field or element. A text without a closing quote extends to the end, so
 * that one pass suffices.
 */
export const STRING_OR_TRAILING_COMMA = /"(?:[^"\\]|\\[^])*(?:"|$)|,(?=\s*[}\]])/g;
