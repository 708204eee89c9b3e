/**
 * What an operation may touch; its IAM statement and the type of its context both come from this. `table:page` is
 * `table:read` and the keeping of cursors, by which page after page of a long list costs the same.
 */
export const needs = ['table:read', 'table:page', 'table:write', 'files:read', 'files:write', 'queue:send'] as const;
export type Need = (typeof needs)[number];
