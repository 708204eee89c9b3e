import type { ClientCancelReason, OrganizationRecord } from '../entities/organizations.ts';
import { parseColor } from '../shared/colors.ts';
import { type FieldError, collectErrors, prefixErrors } from '../shared/failure.ts';
import { pick } from '../shared/objects.ts';
import { applyClientCancelReasons } from './appointments/client-cancel-reasons.ts';
import { applyFields } from './pricebook/apply-fields.ts';
import { inspectFile } from './uploads/inspect-file.ts';

/** The design of client pages, as the company file has it. */
export interface BrandingInput {
  readonly Color?: string | null | undefined;
  /** A data URI. */
  readonly Logo?: string | null | undefined;
}

/** The settings for booking, canceling, signing and paying, as the company file has them. */
export interface BookingSettingsInput {
  readonly Origins?: readonly string[] | null | undefined;
  readonly CancelHours?: number | null | undefined;
  readonly CancelReasons?: readonly Partial<ClientCancelReason>[] | null | undefined;
  readonly ConfirmHours?: number | null | undefined;
  readonly StrangerShare?: number | null | undefined;
  readonly ShowTechnician?: boolean | null | undefined;
  readonly VerifyAbove?: number | null | undefined;
  readonly DrivesAddToBuffers?: boolean | null | undefined;
  readonly MinimumNotice?: number | null | undefined;
  readonly MinimumNoticeDays?: number | null | undefined;
  readonly HorizonDays?: number | null | undefined;
  readonly LimitKeys?: boolean | null | undefined;
}

type Branding = NonNullable<OrganizationRecord['Branding']>;

const NO_BRANDING: Branding = { Color: '', Logo: '' };

/** Applies the color and clears the logo; a new logo is stored separately. */
export function applyBranding(
  before: OrganizationRecord['Branding'],
  input: BrandingInput | null | undefined,
): { branding: OrganizationRecord['Branding']; errors: FieldError[] } {
  if (input === undefined) return { branding: before, errors: [] };
  if (input === null) return { branding: null, errors: [] };
  const former = before ?? NO_BRANDING;
  const color = input.Color ? parseColor(input.Color) : '';
  const branding = {
    Color: input.Color === undefined ? former.Color : (color ?? ''),
    Logo: input.Logo === null || input.Logo === '' ? '' : former.Logo,
  };
  return {
    branding: branding.Color || branding.Logo || input.Logo ? branding : null,
    errors: collectErrors(['Color', color === undefined && "must be a colour like '#2e7d32'", 'format']),
  };
}

const MAX_LOGO_BYTES = 100 * 1024;
const MAX_LOGO_PIXELS = 2_000;
const DATA_URI = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/\s]+={0,2})\s*$/;

type ParsedLogo =
  | { readonly ok: true; readonly type: 'image/png' | 'image/jpeg'; readonly bytes: Buffer }
  | { readonly ok: false; readonly message: string };

const failed = (message: string): ParsedLogo => ({ ok: false, message });

/** Reads a picture for pages. SVG is refused: it may contain scripts and requests to other hosts. */
export async function parseLogo(dataUri: string): Promise<ParsedLogo> {
  const [, base64] = DATA_URI.exec(dataUri) ?? [];
  if (!base64) return failed('must be a PNG or JPEG as data:image/png;base64,… or data:image/jpeg;base64,…');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_LOGO_BYTES) return failed(`has ${bytes.length} bytes, and may have ${MAX_LOGO_BYTES}`);
  const file = await inspectFile('logo', bytes);
  const type = file.kind === 'accepted' && file.IsPicture ? file.ContentType : '';
  if (file.kind !== 'accepted' || (type !== 'image/png' && type !== 'image/jpeg'))
    return failed('is not a PNG or JPEG that can be read');
  if (Math.max(file.Width, file.Height) > MAX_LOGO_PIXELS)
    return failed(`has ${file.Width} × ${file.Height} pixels; a side may have ${MAX_LOGO_PIXELS}`);
  return { ok: true, type, bytes };
}

/** An origin as browsers write it: `https://www.example.com`. */
function parseOrigin(text: string): string | undefined {
  if (!/^https:\/\/[^/?#;,\s'"]+\/?$/.test(text) || !URL.canParse(text)) return undefined;
  const { origin, username, password } = new URL(text);
  return username || password ? undefined : origin;
}

/** Settings with the same name in file and record, which need no check. */
export const PLAIN_SETTINGS = [
  'CancelHours',
  'ConfirmHours',
  'StrangerShare',
  'ShowTechnician',
  'VerifyAbove',
  'DrivesAddToBuffers',
  'MinimumNotice',
  'MinimumNoticeDays',
  'HorizonDays',
  'LimitKeys',
] as const;

type PlainSettings = Pick<OrganizationRecord, (typeof PLAIN_SETTINGS)[number]>;
type BookingSettings = Pick<OrganizationRecord, 'BookingOrigins' | 'ClientCancelReasons'> & PlainSettings;

export const BOOKING_DEFAULTS = {
  BookingOrigins: [],
  CancelHours: null,
  ClientCancelReasons: [],
  ConfirmHours: 2,
  StrangerShare: 50,
  ShowTechnician: false,
  VerifyAbove: null,
  DrivesAddToBuffers: false,
  MinimumNotice: null,
  MinimumNoticeDays: null,
  HorizonDays: null,
  LimitKeys: false,
} as const satisfies BookingSettings;

/** Applies the given settings; `null` resets one, or all, to the default. `cancelReasons` are those of the account. */
export function applyBookingSettings(
  before: BookingSettings,
  input: BookingSettingsInput | null | undefined,
  cancelReasons: readonly string[],
): { settings: BookingSettings; errors: FieldError[] } {
  if (input === null) return { settings: BOOKING_DEFAULTS, errors: [] };
  const { Origins, CancelReasons } = input ?? {};
  const reasons = applyClientCancelReasons(CancelReasons ?? [], cancelReasons);
  const origins = (Origins ?? []).map(parseOrigin);
  const errors = origins.flatMap((origin, index) =>
    origin === undefined
      ? [
          {
            field: `Origins[${index}]`,
            code: 'format' as const,
            message: 'must be the origin of a site: https://www.example.com',
          },
        ]
      : [],
  );
  const known = origins.filter((each) => each !== undefined);
  return {
    settings: {
      ...applyFields<PlainSettings>(pick(before, ...PLAIN_SETTINGS), input ?? {}, {
        names: PLAIN_SETTINGS,
        blank: BOOKING_DEFAULTS,
      }),
      BookingOrigins: Origins === undefined ? before.BookingOrigins : [...new Set(known)],
      ClientCancelReasons: CancelReasons === undefined ? before.ClientCancelReasons : reasons.reasons,
    },
    errors: [...errors, ...prefixErrors('CancelReasons', reasons.errors)],
  };
}
