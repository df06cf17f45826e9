vcl 4.1;
# Caches the shop's public pages and files, and purges pages by tag when something changes (docs/decisions/038). For Varnish
# 6.6 and newer: docs/deployment.md. CACHE_PURGE_SECRET stands in varnishd's environment, too.
import std;
include "backends.vcl";

sub vcl_recv {
    set req.backend_hint = shop.backend();
    if (req.method == "PURGE") {
        # An empty secret is none.
        if (req.http.Authorization !~ "^Bearer .+" || req.http.Authorization != "Bearer " + std.getenv("CACHE_PURGE_SECRET")) { return (synth(403)); }
        if (req.http.Cache-Tag !~ "^[\w:-]+(,[\w:-]+)*$") { return (synth(400)); }
        if (!std.ban("obj.http.Cache-Tag ~ (^|,)(" + regsuball(req.http.Cache-Tag, ",", "|") + ")(,|$)")) { return (synth(500)); }
        return (synth(200));
    }
    # Next.js would take it for the shop's host.
    unset req.http.X-Forwarded-Host;
    # Files for sale: Varnish would keep a whole file in memory while a slow client reads it.
    if (req.url ~ "^/downloads/") { return (pipe); }
    # All else but public pages (lib/pages.ts) and files is the shop's to answer; text searches hardly ever repeat.
    if ((req.method != "GET" && req.method != "HEAD") || req.url ~ "[?&]search=[^&]" || (req.url !~ "^/(_next/(static|image)|images|og)[/?]"
        && req.url !~ "^(?:/|/products|/product/[^/?]+|/stock-alert|/contact|/contact/merci|/conditions-generales-de-vente|/livraison-et-retours|/mentions-legales)(?:\?|$)")) { return (pass); }
    unset req.http.Authorization;
    unset req.http.Cookie;
    set req.url = regsuball(req.url, "([?&])(utm_\w+|mtm_\w+|gclid|fbclid|msclkid)=[^&]*", "\1");
    set req.url = regsub(regsuball(req.url, "([?&])&+", "\1"), "[?&]$", "");
    # An expired page is shown while the next one is fetched; for longer while the shop is away: beresp.grace.
    if (std.healthy(req.backend_hint)) { set req.grace = 10s; }
    return (hash);
}

sub vcl_hash {
    # Strict-Transport-Security depends on it.
    hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_pipe {
    # The client's next request comes on a new connection, and through vcl_recv.
    set bereq.http.Connection = "close";
}

sub vcl_backend_response {
    if (bereq.uncacheable) { return (deliver); }
    if (beresp.status >= 500 && bereq.is_bgfetch) { return (abandon); }
    # s-maxage says how long. A page without tags could not be purged.
    if (!beresp.http.Cache-Tag && (beresp.status != 200 || beresp.http.Content-Type ~ "^text/(html|x-component)")) {
        set beresp.uncacheable = true;
        set beresp.ttl = 1s;
        return (deliver);
    }
    set beresp.grace = 1h;
    set beresp.do_gzip = beresp.http.Content-Type ~ "^(text/|application/(javascript|json|manifest)|image/svg)";
}

sub vcl_deliver {
    # No purge reaches the caches that follow.
    if (resp.http.Cache-Tag) { set resp.http.Cache-Control = "public, max-age=0, must-revalidate"; unset resp.http.Age; }
    unset resp.http.Cache-Tag;
    unset resp.http.X-Page-Key;
    unset resp.http.X-Varnish;
    unset resp.http.Via;
    set resp.http.X-Cache = "MISS";
    if (obj.hits > 0) { set resp.http.X-Cache = "HIT"; }
}

sub vcl_backend_error {
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.Retry-After = "5";
    set beresp.body = {"<!DOCTYPE html><html lang="fr"><title>Boutique momentanément indisponible</title>
<h1>La boutique est momentanément indisponible</h1><p>Merci de réessayer dans quelques instants.</p></html>"};
    return (deliver);
}
