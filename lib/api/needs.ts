/** What an operation may touch; its IAM statement and the type of its context both come from this. */
export const needs = ['table:read', 'table:write', 'files:read', 'files:write', 'queue:send'] as const;
export type Need = (typeof needs)[number];
