/**
 * Words that stand as static segments beside values (`/users/me`, `/orders/search`): never folded by evidence, only by
 * a person or a declared route.
 */
export const RESERVED_WORDS: ReadonlySet<string> = words(`
me self myself whoami current default search _search find lookup query filter count new latest recent bulk batch export
exports import imports login logout signin signout sign-in sign-out log-in log-out signup sign-up register health
healthz healthcheck livez readyz ping autocomplete suggest validate verify refresh openapi.json swagger.json robots.txt
sitemap.xml favicon.ico`)

/**
 * Nouns and verbs that interfaces name things with, in the singular. A segment made of them is rather a static one;
 * a first name or a colour is not in here on purpose.
 */
export const PATH_WORDS: ReadonlySet<string> = words(`
about access account accounting acl action activity activation activate actuator ad add addon address admin administrator
affiliate agent agreement alarm album alert alias allocation allowance amount analysis analytic analytics anchor
announcement annotation answer apartment api apikey app appliance application apply appointment approval approve
archive area article artifact artist aspect assessment asset assign assignee assignment association asset attachment
attempt attendance attendee attribute auction audience audio audit author authenticate authentication authorization
authorize autocomplete automation availability avatar award backup badge bag balance balancer bank banner barcode
base basket benchmark beneficiary benefit bid bill billing binding blacklist blob block blocklist blog board body
book booking bookmark boot bot bounce branch brand breadcrumb brief broadcast broker browse bucket budget bug build
builder bulletin bundle burn business button buy cache calculate calculation calendar call campaign cancel
cancellation candidate capability capacity captcha capture card carrier cart case cashback catalog catalogue category
certificate certification challenge change changelog channel chapter charge chart chat check checkin checklist
checkout checkpoint checksum city claim class classification classroom clean cleanup client clip clone close cluster
code collaborator collection column command comment commit commission commodity commitment communication
community company compare comparison compatibility complete completion complaint component compose compute condition
conference configure confirm confirmation connect connection connector consent constant console contact container
content contest context contract contribution contributor control conversation conversion convert cookie copy core
cost country coupon course cover create creation credential credit crew criteria cron currency custom customer
customization cutoff daily dashboard data database datacenter dataset datasource datastore date day deactivate deal
debit debug decision decline decommission deduction definition delegate delegation delete delivery demo department
dependency deploy deployment deposit depot description destination detail detection device diagnostic dialog diff
digest dimension directory disable disbursement discount discovery discussion disk dispatch display dispute distance
distribution dns document domain donation donor draft driver duplicate duration dispute earning echo edge
edit education element email emoji employee employer enable encoding encrypt encryption endpoint engine enrollment
enterprise entitlement entity entry enum environment epoch error escalation estimate evaluation event evidence exam
exchange execute execution expense experiment expire explore expression extension extract facet facility factor
failure family faq favorite fax feature fee feed feedback fetch field file filter finance finding fingerprint firewall
flag fleet flight floor flow folder follow follower following font forecast forgot forgot-password fork form format
forum forward framework fraud freeze friend fulfillment function fund funding game gateway gear generate genre
geo geocode gift global goal grade graph grid group guardian guest guide handler hash header help
hierarchy highlight history hold holder holding holiday home homepage hook host hostname hotel hour house hub icon
identity identifier identity image impersonate impersonation impression inbox incident include index indicator
industry ingest init initialize inquiry inspection installation instance instruction instrument insurance integration
interaction interest interface interval interview intent inventory investment invitation invite invoice ip issue item
iteration job join journal journey jurisdiction jwks kernel key keyword kind knowledge kyc label language launch
layer layout lead leaderboard league leave ledger lesson letter level library license licence like limit line link
list listener listing live load loan locale location lock locker log logger logo lookup loyalty machine mail mailbox
mailing maintenance manage management manager manifest manufacturer map mapping market marketplace master match
material matrix meal measure measurement media medication meeting member membership memo memory mention menu
merchant merge message method metric middleware migrate migration milestone minute mirror mobile mode model module
monitor monitoring month mount move movie multipart mute namespace navigation network news newsletter node note
notice notification notify number nutrient oauth oauth2 object objective occurrence offer office offset open operation
operator opportunity opt-in opt-out order organisation organization origin outage outcome outlet output overview
owner ownership package page panel parameter parent park parse part participant partition partner party passenger
passkey password patch path patient pattern pause payee payload payment payout payroll peer pending performance period
permission permit person persona phase phone photo picture pin pipeline place placement plan plate platform play
player playlist plugin podcast point policy poll pool port portal portfolio position post postal power preference
prefix premium prescription presence presentation preset preview price pricing print priority privacy private
privilege procedure process processor product profile program progress project promo promotion prompt property
proposal protect protection protocol provider provision proxy pub publication publish publisher pull purchase purge
push qr quantity query queue quiz quota quotation quote race range rank ranking rate rating raw reaction reader reboot
rebuild recall receipt receive recipe recipient recommendation recommend reconcile reconciliation record recording
recover recovery recurring redeem redirect redemption reference referral referrer refund region registrar registry
reject relation relationship relay release reminder remote remove rename render renew renewal rental reopen replace
replay replica replication reply repo report repository request requirement requisition resend reservation reserve
reset resize resolution resolve resource response restart restaurant restore restriction result resume retailer
retention retire retry return revenue review reviewer revision revoke reward ride right risk role rollback room root
route router routing row rule ruleset run runner runtime sale salary sample sandbox satellite save scan
scanning schedule scheduler school science scope score screen screening screenshot script sdk seat season secret
section sector security seed segment select seller send sender sensor sequence series server service session setting setup
share shard shelf shift shipment shipping shop shortcut show shutdown signal signature signing site size skill sku
slot snapshot snippet social source space spam spec specification spending split sponsor sponsorship sport sprint sso
stack staff stage stake standing star starred start startup state statement station step stock stop storage store
story stream street string structure student study style subcategory subject submission submit subnet
subscriber subscribe subscription supplier supply support surcharge survey suspend swap switch symbol sync
synchronize system tab table tag target task tax taxonomy taxi team template tenant term terminal test text theme
thread threat threshold thumbnail ticket tier time timeline timer timesheet timezone title toggle tool topic topup
topology totp tour tournament track tracker tracking trade traffic trail training transaction transcript transfer
transform transition translate translation transport trash tree trend trial trigger trip trust twin type
unarchive unassign unblock unbind unfollow uninstall unit university unlink unlock unsubscribe unsuspend update upgrade
uptime url usage use user username utility utilization vacancy vacation validator value variable variant vault vehicle
vendor venue vector verify version video view virtual visibility visit visitor volume vote voter voucher vpc vpn
vulnerability wallet warehouse warning watch watcher watchlist wave weather web webinar week weight whitelist wiki wifi
window wishlist withdraw withdrawal word work worker workflow workgroup workout workspace worklog zone zip
public private shared internal external active inactive archived deleted unread upcoming featured popular
trending today total suggestion
status stat statistics summary upload download callback webhook graphql docs doc swagger openapi setting
preference config configuration schema metadata
abuse advisory backend frontend http https tcp throughput latency webmail apn arrival ach admission aggregate algorithm bandwidth breach byoip cdn charset checkin cidr cpu ddl
departure dhcp dpa ec2 eip fcm firmware fqdn gdpr gpu hls iam iban imei imap iot ipam iso jira json k8s kafka kms ldap
lb lifecycle macro mfa migration mongodb mqtt mx mysql nat nfs notary oidc opensearch otp pdf pem pgp php
pki postgres postgresql ram rbac rdf redis rest rpc rss rtmp s3 scim sftp sip slack sla smtp sms snmp sql ssh ssl sts
svg tcp tls udp ui url utxo uuid vat vlan vm webauthn whois xml yaml`)

function words(text: string): Set<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''))
}
