import { expect } from 'vitest';
import { fieldErrorMeanings } from '../../lib/api/openapi/code-meanings.ts';
import { type FailureCode, failureCodes } from '../../lib/shared/failure-codes.ts';
import type { TestAnswer } from './stack/stack.ts';

/** Expects a failure in its standard form: equal status and ResultCode, a code of that status, one sentence, invalid fields, a request id. */
export function expectFailure(answer: TestAnswer, code: number): void {
  expect([answer.status, answer.text]).toEqual([code, expect.stringContaining(`"ResultCode":${code}`)]);
  expectOrderly(answer);
}

/** Expects the standard form of every answer: no internal error, JSON with ResultCode and Message, the headers. */
export function expectOrderly({ status, headers, body, text }: TestAnswer): void {
  expect(status, JSON.stringify(body)).toBeLessThan(500);
  // What every object of JavaScript has, found by a name that the caller sent.
  expect(text).not.toMatch(/\[native code\]|\[object \w+\]/);
  expect(body).toMatchObject({
    ResultCode: status === 200 ? 0 : status,
    Message: status === 200 ? expect.any(String) : expect.stringMatching(/^\S.*[.?]$/s),
  });
  for (const error of (body['Errors'] ?? []) as unknown[])
    expect(error).toEqual({
      Field: expect.any(String) as string,
      Code: expect.toBeOneOf(Object.keys(fieldErrorMeanings)) as string,
      Message: expect.stringMatching(/\S/) as string,
    });
  if (status !== 200) expect(failureCodes[body['Code'] as FailureCode]).toBe(status);
  expect(headers.get('x-request-id')).toMatch(/\S/);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
}
