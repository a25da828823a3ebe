import { type Operation, operationsOfRoutes } from './traffic.ts'
import type { ParamFacts } from './values.ts'

/**
 * Routes of two real applications, as plain facts (method and path) read from their route tables: OWASP Juice Shop
 * (server.ts) and Mastodon (config/routes/api.rb). Answers are made up.
 */
const JUICE_SHOP_MODELS =
  'Users Products Feedbacks BasketItems Challenges Complaints Recycles SecurityQuestions SecurityAnswers Addresss PrivacyRequests Cards Quantitys Hints'.split(
    ' ',
  )

const JUICE_SHOP = [
  ...JUICE_SHOP_MODELS.flatMap((model) => crud(`/api/${model}`)),
  ...lines(`
GET /api/Deliverys
GET /api/Deliverys/{id}
POST /file-upload
POST /profile/image/file
POST /profile/image/url
POST /rest/memories
GET /rest/memories
POST /rest/2fa/verify
GET /rest/2fa/status
POST /rest/2fa/setup
POST /rest/2fa/disable
POST /rest/user/login
GET /rest/user/change-password
POST /rest/user/reset-password
GET /rest/user/security-question
GET /rest/user/whoami
GET /rest/user/authentication-details
POST /rest/user/data-export
GET /rest/products/search
GET /rest/products/{id}/reviews
PUT /rest/products/{id}/reviews
PATCH /rest/products/reviews
POST /rest/products/reviews
GET /rest/basket/{id}
POST /rest/basket/{id}/checkout
PUT /rest/basket/{id}/coupon/{coupon}
POST /rest/basket/{id}/order
GET /rest/admin/application-version
GET /rest/admin/application-configuration
GET /rest/repeat-notification
GET /rest/continue-code
GET /rest/continue-code-findIt
GET /rest/continue-code-fixIt
PUT /rest/continue-code/apply/{continueCode}
PUT /rest/continue-code-findIt/apply/{continueCode}
PUT /rest/continue-code-fixIt/apply/{continueCode}
GET /rest/captcha
GET /rest/image-captcha
GET /rest/track-order/{id}
GET /rest/country-mapping
GET /rest/saveLoginIp
GET /rest/languages
GET /rest/order-history
GET /rest/order-history/orders
PUT /rest/order-history/{id}/delivery-status
GET /rest/wallet/balance
PUT /rest/wallet/balance
GET /rest/deluxe-membership
POST /rest/deluxe-membership
POST /rest/chat
POST /b2b/v2/orders`),
]

const NUMBER: ParamFacts = { name: 'id', type: 'integer' }

const MASTODON = [
  ...crud('/api/v1/statuses'),
  ...crud('/api/v1/filters'),
  ...crud('/api/v2/filters'),
  ...crud('/api/v1/lists'),
  ...'reblog unreblog favourite unfavourite bookmark unbookmark mute unmute pin unpin translate'
    .split(' ')
    .map((verb) => `POST /api/v1/statuses/{id}/${verb}`),
  ...'reblogged_by favourited_by history source context'
    .split(' ')
    .map((word) => `GET /api/v1/statuses/{id}/${word}`),
  ...'follow unfollow remove_from_followers block unblock mute unmute pin unpin note'
    .split(' ')
    .map((verb) => `POST /api/v1/accounts/{id}/${verb}`),
  ...'statuses followers following lists identity_proofs featured_tags'
    .split(' ')
    .map((word) => `GET /api/v1/accounts/{id}/${word}`),
  ...'enable unsensitive unsilence unsuspend approve reject action'
    .split(' ')
    .map((verb) => `POST /api/v1/admin/accounts/{id}/${verb}`),
  ...'assign_to_self unassign reopen resolve'
    .split(' ')
    .map((verb) => `POST /api/v1/admin/reports/{id}/${verb}`),
  ...'domain_allows domain_blocks email_domain_blocks ip_blocks canonical_email_blocks'
    .split(' ')
    .flatMap((word) => [
      `GET /api/v1/admin/${word}`,
      `POST /api/v1/admin/${word}`,
      `GET /api/v1/admin/${word}/{id}`,
      `DELETE /api/v1/admin/${word}/{id}`,
    ]),
  ...'tags links statuses links/publishers'
    .split(' ')
    .flatMap((word) => [
      `GET /api/v1/admin/trends/${word}`,
      `POST /api/v1/admin/trends/${word}/{id}/approve`,
      `POST /api/v1/admin/trends/${word}/{id}/reject`,
    ]),
  ...'peers rules domain_blocks privacy_policy extended_description translation_languages languages activity'
    .split(' ')
    .map((word) => `GET /api/v1/instance/${word}`),
  ...'custom_emojis suggestions scheduled_statuses preferences annual_reports announcements conversations blocks mutes favourites bookmarks trends endorsements markers instance directory follow_requests notifications followed_tags featured_tags'
    .split(' ')
    .map((word) => `GET /api/v1/${word}`),
  ...lines(`
GET /api/oembed
GET /api/v1/timelines/direct
GET /api/v1/timelines/home
GET /api/v1/timelines/public
GET /api/v1/timelines/tag/{hashtag}
GET /api/v1/timelines/list/{id}
GET /api/v1/streaming
DELETE /api/v1/suggestions/{id}
GET /api/v1/scheduled_statuses/{id}
PUT /api/v1/scheduled_statuses/{id}
DELETE /api/v1/scheduled_statuses/{id}
POST /api/v1/annual_reports/{year}/read
POST /api/v1/announcements/{id}/dismiss
PUT /api/v1/announcements/{id}/reactions/{emoji_name}
DELETE /api/v1/announcements/{id}/reactions/{emoji_name}
DELETE /api/v1/conversations/{id}
POST /api/v1/conversations/{id}/read
POST /api/v1/conversations/{id}/unread
POST /api/v1/media
GET /api/v1/media/{id}
PUT /api/v1/media/{id}
POST /api/v1/reports
POST /api/v1/markers
DELETE /api/v1/profile/avatar
DELETE /api/v1/profile/header
GET /api/v1/apps/verify_credentials
POST /api/v1/apps
GET /api/v1/trends/tags
GET /api/v1/trends/links
GET /api/v1/trends/statuses
POST /api/v1/emails/confirmations
GET /api/v1/emails/check_confirmation
GET /api/v1/peers/search
GET /api/v1/domain_blocks
POST /api/v1/domain_blocks
DELETE /api/v1/domain_blocks
POST /api/v1/follow_requests/{id}/authorize
POST /api/v1/follow_requests/{id}/reject
GET /api/v1/notifications/requests
GET /api/v1/notifications/requests/{id}
POST /api/v1/notifications/requests/{id}/accept
POST /api/v1/notifications/requests/{id}/dismiss
GET /api/v1/notifications/policy
PUT /api/v1/notifications/policy
GET /api/v1/notifications/{id}
POST /api/v1/notifications/clear
DELETE /api/v1/notifications/destroy_multiple
POST /api/v1/notifications/{id}/dismiss
GET /api/v1/accounts/verify_credentials
PATCH /api/v1/accounts/update_credentials
GET /api/v1/accounts/search
GET /api/v1/accounts/lookup
GET /api/v1/accounts/relationships
GET /api/v1/accounts/familiar_followers
GET /api/v1/accounts
POST /api/v1/accounts
GET /api/v1/accounts/{id}
GET /api/v1/tags/{hashtag}
POST /api/v1/tags/{hashtag}/follow
POST /api/v1/tags/{hashtag}/unfollow
GET /api/v1/lists/{id}/accounts
POST /api/v1/lists/{id}/accounts
DELETE /api/v1/lists/{id}/accounts
GET /api/v1/featured_tags/suggestions
POST /api/v1/featured_tags
DELETE /api/v1/featured_tags/{id}
POST /api/v1/polls
GET /api/v1/polls/{id}
POST /api/v1/polls/{id}/votes
GET /api/v1/push/subscription
POST /api/v1/push/subscription
PUT /api/v1/push/subscription
DELETE /api/v1/push/subscription
GET /api/v1/admin/accounts
GET /api/v1/admin/accounts/{id}
DELETE /api/v1/admin/accounts/{id}
GET /api/v1/admin/reports
GET /api/v1/admin/reports/{id}
PUT /api/v1/admin/reports/{id}
POST /api/v1/admin/measures
POST /api/v1/admin/dimensions
POST /api/v1/admin/retention
POST /api/v1/admin/canonical_email_blocks/test
GET /api/v1/admin/tags
GET /api/v1/admin/tags/{id}
PUT /api/v1/admin/tags/{id}
GET /api/v2/search
POST /api/v2/media
GET /api/v2/suggestions
GET /api/v2/instance
GET /api/v2/filters/{id}/keywords
POST /api/v2/filters/{id}/keywords
GET /api/v2/filters/{id}/statuses
POST /api/v2/filters/{id}/statuses
GET /api/v2/filters/keywords/{id}
PUT /api/v2/filters/keywords/{id}
DELETE /api/v2/filters/keywords/{id}
GET /api/v2/filters/statuses/{id}
DELETE /api/v2/filters/statuses/{id}
GET /api/v2/admin/accounts
PUT /api/web/settings
GET /api/web/embeds/{id}
POST /api/web/push_subscriptions
PUT /api/web/push_subscriptions/{id}`),
]

/** Interfaces that nobody has, made up to look at things that the others do not show. */
const BANK = [
  ...crud('/api/v1/customers', '{customerId}'),
  ...crud('/api/v1/customers/{customerId}/accounts', '{iban}'),
  ...crud('/api/v1/cards', '{cardId}'),
  ...lines(`
GET /api/v1/customers/{customerId}/accounts/{iban}/transactions
GET /api/v1/customers/{customerId}/accounts/{iban}/statements/{year}
GET /api/v1/customers/{customerId}/accounts/{iban}/balance
POST /api/v1/transfers/domestic
POST /api/v1/transfers/international
POST /api/v1/transfers/instant
GET /api/v1/transfers/{transferId}
POST /api/v1/transfers/{transferId}/cancel
POST /api/v1/transfers/{transferId}/approve
GET /api/v1/rates/{currency}
GET /api/v1/rates/{currency}/history
GET /api/v1/branches/{city}
GET /api/v1/branches/{city}/advisors
GET /api/v1/securities/{isin}
GET /api/v1/securities/{isin}/quotes/{exchange}
POST /api/v1/loans/simulate
POST /api/v1/loans/apply
GET /api/v1/loans/{loanId}
GET /api/v1/loans/{loanId}/schedule
POST /api/v1/cards/{cardId}/freeze
POST /api/v1/cards/{cardId}/unfreeze
GET /api/v1/cards/{cardId}/limits
PUT /api/v1/cards/{cardId}/limits/{limitType}
GET /api/v1/mandates
DELETE /api/v1/mandates/{mandateRef}
POST /oauth/token
POST /oauth/revoke
GET /api/v1/alerts
GET /api/v1/documents/{documentKey}
POST /api/v1/kyc/documents
GET /api/v1/kyc/status`),
]

const CMS = [
  ...crud('/wp/v2/posts', '{slug}'),
  ...crud('/wp/v2/pages', '{slug}'),
  ...crud('/wp/v2/media'),
  ...crud('/wp/v2/users', '{username}'),
  ...lines(`
GET /{locale}/articles/{slug}
GET /{locale}/articles/{slug}/comments
POST /{locale}/articles/{slug}/comments
GET /{locale}/authors/{author}
GET /{locale}/topics/{topic}
GET /{locale}/topics/{topic}/feed
GET /wp/v2/categories
GET /wp/v2/categories/{category}
GET /wp/v2/tags
GET /wp/v2/tags/{tag}
GET /wp/v2/tags/{tag}/posts
GET /wp/v2/posts/{slug}/revisions
GET /wp/v2/posts/{slug}/revisions/{id}
POST /wp/v2/posts/{slug}/publish
POST /wp/v2/posts/{slug}/unpublish
GET /wp/v2/menus/{menuSlug}/items
GET /wp/v2/themes
GET /wp/v2/themes/{theme}
PUT /wp/v2/themes/{theme}/activate
GET /wp/v2/plugins
POST /wp/v2/plugins/{plugin}/activate
GET /wp/v2/settings
PUT /wp/v2/settings
GET /wp/v2/search
GET /preview/{previewToken}
GET /sitemaps/{sitemapName}`),
]

const SAAS = [
  ...crud('/t/{tenant}/projects', '{project}'),
  ...crud('/t/{tenant}/projects/{project}/tasks'),
  ...crud('/t/{tenant}/members', '{username}'),
  ...lines(`
GET /t/{tenant}
GET /t/{tenant}/settings
PUT /t/{tenant}/settings
GET /t/{tenant}/billing
GET /t/{tenant}/billing/invoices
GET /t/{tenant}/billing/invoices/{invoiceNumber}
GET /t/{tenant}/projects/{project}/environments
GET /t/{tenant}/projects/{project}/environments/{environment}
POST /t/{tenant}/projects/{project}/environments/{environment}/deploy
GET /t/{tenant}/projects/{project}/environments/{environment}/logs
GET /t/{tenant}/projects/{project}/secrets
PUT /t/{tenant}/projects/{project}/secrets/{secretName}
DELETE /t/{tenant}/projects/{project}/secrets/{secretName}
POST /t/{tenant}/projects/{project}/tasks/{id}/assign/{username}
GET /t/{tenant}/boards/{board}
GET /t/{tenant}/boards/{board}/columns/{column}
GET /t/{tenant}/roles/{role}
PUT /t/{tenant}/roles/{role}/permissions
GET /t/{tenant}/audit
GET /me
GET /me/tenants
POST /auth/login
POST /auth/logout
POST /auth/refresh
GET /plans
GET /plans/{planName}
GET /status`),
]

/** Applications whose routes are known, with made-up answers. `isReal`: nobody here wrote the routes. */
export function routeSets(): { name: string; isReal: boolean; operations: Operation[] }[] {
  const params: Record<string, ParamFacts> = {
    id: NUMBER,
    hashtag: { name: 'tag', type: 'string' },
    year: { name: 'year', type: 'integer' },
    iban: { name: 'iban', type: 'string', example: 'DE89370400440532013000' },
    isin: { name: 'isin', type: 'string', example: 'US0378331005ABCD' },
    city: { name: 'topic', type: 'string' },
    coupon: { name: 'couponCode', type: 'string' },
    continueCode: { name: 'continueCode', type: 'string', example: 'mx4vVZzKlLRDW3rj9EPQ' },
    limitType: {
      name: 'limitType',
      type: 'string',
      enum: ['daily', 'weekly', 'monthly', 'contactless', 'abroad', 'online', 'cash'],
    },
  }
  return [
    { name: 'juice-shop', isReal: true, operations: operationsOfRoutes('juice-shop', JUICE_SHOP, params) },
    { name: 'mastodon', isReal: true, operations: operationsOfRoutes('mastodon', MASTODON, params) },
    { name: 'bank', isReal: false, operations: operationsOfRoutes('bank', BANK, params) },
    { name: 'cms', isReal: false, operations: operationsOfRoutes('cms', CMS, params) },
    { name: 'saas', isReal: false, operations: operationsOfRoutes('saas', SAAS, params) },
  ]
}

function crud(path: string, param = '{id}'): string[] {
  return [
    `GET ${path}`,
    `POST ${path}`,
    `GET ${path}/${param}`,
    `PUT ${path}/${param}`,
    `DELETE ${path}/${param}`,
  ]
}

function lines(text: string): string[] {
  return text.trim().split('\n')
}
