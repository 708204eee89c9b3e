export type * from './api.ts';
export type { Attempt, CallOptions, Options } from './caller.ts';
export type { DownloadFile, DownloadOptions, FileOptions } from './downloads.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  FieldServiceError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  SignatureError,
} from './errors.ts';
export type { EventOptions } from './events.ts';
export type { FieldService, FieldServiceClass } from './field-service.ts';
export type { Page } from './pages.ts';
export type { FileToUpload } from './uploads.ts';
export { type VerifyOptions, webhooks } from './webhooks.ts';
