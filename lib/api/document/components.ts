import { failureKinds } from '../../shared/failure.ts';

const whole = { type: 'integer', format: 'int32' };
const header = (description: string, schema: object = { type: 'string' }) => ({ description, schema });

/** What every operation refers to besides the resources. */
export const failure = {
  type: 'object',
  description:
    'How every failure answers. An operation may add result fields that help on, like the candidates of an ambiguous match.',
  properties: {
    ResultCode: { ...whole, enum: Object.values(failureKinds), description: 'The same number as the HTTP status.' },
    Message: { type: 'string', description: 'One sentence to act on.' },
    Errors: {
      type: 'array',
      description: 'Every field at fault.',
      items: {
        type: 'object',
        properties: {
          Field: { type: 'string', description: 'Its path: Matches[0].Email.' },
          Message: { type: 'string' },
        },
        required: ['Field', 'Message'],
      },
    },
  },
  required: ['ResultCode', 'Message'],
};

export const headers = {
  'X-Request-Id': header('Names the call in our logs.'),
  'RateLimit-Limit': header('Calls the key may make at once.', whole),
  'RateLimit-Remaining': header('Calls left at this moment, at least.', whole),
  'RateLimit-Reset': header('Seconds until all of them are there again.', whole),
  'Retry-After': header('Seconds to wait before trying again.', whole),
  Allow: header('The method to use: POST.'),
};

export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the call safe to repeat: the same key with the same body within 24 hours gets the first answer again and does nothing; with another body it is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};

export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description:
      'A key of the form fs_<12 characters>_<32 characters>. Instead of this header the field ApiKey of the body may carry it, where the operation has one. Both given and different is 401.',
  },
};
