vcl 4.1;

# Keeps the shop's public pages, and forgets those that the shop names when something changes:
# docs/decisions/038. For Varnish 6.6 and newer; docs/deployment.md tells how to start it. The secret
# that the shop shows stands in varnishd's environment, as CACHE_PURGE_SECRET.

import std;

include "backends.vcl";

sub vcl_recv {
    set req.backend_hint = shop.backend();

    if (req.method == "PURGE") {
        call shop_purge;
    }

    # Answers of the shop's own; nobody outside has a say in how Next.js finds a page.
    unset req.http.X-Kind;
    unset req.http.X-Plain;
    unset req.http.X-Forwarded-Host;
    unset req.http.X-Matched-Path;
    unset req.http.X-Middleware-Subrequest;
    unset req.http.X-Nextjs-Data;
    unset req.http.X-Now-Route-Matches;
    unset req.http.X-Prerender-Revalidate;

    # Files for sale, of any size, go through at the buyer's pace. Varnish would take each into its
    # memory as fast as the shop gives it, and wait with it for a slow line.
    if (req.url ~ "^/downloads/") {
        return (pipe);
    }

    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }

    # All that is kept is listed here; the pages are those of lib/pages.ts for everybody. Everything else
    # goes to the shop with all that it came with: the account, the cart, the back office, the API, and
    # searches by text, which hardly repeat and would push out other pages.
    if (req.url ~ "^/(_next/(static|image)|images|og)[/?]") {
        set req.http.X-Kind = "file";
    } elseif (req.url ~ "^(?:/|/products|/product/[^/?]+|/contact|/contact/merci|/conditions-generales-de-vente|/mentions-legales)(?:\?|$)" && req.url !~ "[?&]search=[^&]") {
        set req.http.X-Kind = "page";
    } else {
        return (pass);
    }

    # What is kept is the same for everyone.
    unset req.http.Authorization;
    unset req.http.Cookie;

    if (req.http.X-Kind == "page") {
        # Of where visitors came from the shop itself wants to know nothing.
        if (req.url ~ "\?") {
            set req.url = regsuball(req.url, "([?&])(utm_\w+|mtm_\w+|gclid|fbclid|msclkid)=[^&]*", "\1");
            set req.url = regsuball(req.url, "([?&])&+", "\1");
            set req.url = regsub(req.url, "[?&]$", "");
        }
    } elseif (req.url ~ "^/_next/image") {
        # One picture for each kind of browser, however it spells what it accepts.
        if (req.http.Accept ~ "image/webp") {
            set req.http.Accept = "image/webp";
        } else {
            set req.http.Accept = "image/*";
        }
    }

    # Those few who take nothing compressed get what was kept so for them: to unpack a page for each
    # would take longer than all else.
    if (req.http.Accept-Encoding !~ "gzip") {
        set req.http.X-Plain = "1";
    }

    # A page that has run out is shown while the next one is fetched: for long where the shop is away.
    if (std.healthy(req.backend_hint)) {
        set req.grace = 10s;
    }
    return (hash);
}

sub vcl_pipe {
    # What the visitor asks for next comes through the rules above again.
    set bereq.http.Connection = "close";
}

sub vcl_hash {
    # Besides the address and the host.
    hash_data(req.http.X-Plain);
}

# PURGE with "Cache-Tag: product:7,catalogue": every page that bears one of these tags is gone when
# this is answered. The condition is about the object alone, so that Varnish tidies up by itself.
sub shop_purge {
    if (std.getenv("CACHE_PURGE_SECRET") == ""
        || req.http.Authorization != "Bearer " + std.getenv("CACHE_PURGE_SECRET")) {
        return (synth(403, "Forbidden"));
    }
    if (req.http.Cache-Tag !~ "^[\w:-]+(,[\w:-]+)*$") {
        return (synth(400, "Bad Request"));
    }
    if (!std.ban("obj.http.Cache-Tag ~ (^|,)(" + regsuball(req.http.Cache-Tag, ",", "|") + ")(,|$)")) {
        return (synth(500, std.ban_error()));
    }
    return (synth(200, "Purged"));
}

sub vcl_backend_fetch {
    # Seconds, to the microsecond.
    set bereq.http.X-Fetch-Began = std.real(time = now);
}

sub vcl_backend_response {
    if (bereq.http.X-Kind) {
        if (beresp.status >= 500) {
            # Of a page that is there already nothing is lost.
            if (bereq.is_bgfetch) {
                return (abandon);
            }
            call shop_keep_nothing;
        } elseif (bereq.http.X-Kind == "file") {
            if (beresp.status != 200 && beresp.status != 304) {
                call shop_keep_nothing;
            }
        } else {
            call shop_keep_page;
        }
        if (bereq.http.X-Plain) {
            set beresp.do_gunzip = true;
        } elseif (beresp.http.Content-Type ~ "^(text/|application/(javascript|json|manifest)|image/svg)") {
            set beresp.do_gzip = true;
        }
    }
    # What follows is Varnish's own: it keeps nothing that sets a cookie, is private or not to be stored.
}

sub shop_keep_page {
    # What bears no tags could not be forgotten. What was on its way for longer than this may be
    # older than the news of a change that was told last 3 seconds after it: lib/http/cache/purge.ts.
    if (!beresp.http.Cache-Tag
        || std.real(time = now) - std.real(bereq.http.X-Fetch-Began, 0.0) > 2.0) {
        call shop_keep_nothing;
    }
    set beresp.grace = 1h;
    set beresp.keep = 0s;
}

sub shop_keep_nothing {
    set beresp.uncacheable = true;
    set beresp.ttl = 1s;
    set beresp.grace = 0s;
    return (deliver);
}

sub vcl_deliver {
    if (resp.http.Cache-Tag) {
        # Whatever stands further ahead would not hear of a change.
        set resp.http.Cache-Control = "public, max-age=0, must-revalidate";
        unset resp.http.Age;
    }
    unset resp.http.Cache-Tag;
    unset resp.http.Via;
    unset resp.http.X-Varnish;
    unset resp.http.X-Nextjs-Cache;
    if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
}

sub vcl_synth {
    if (req.method == "PURGE") {
        set resp.http.Content-Type = "text/plain";
        set resp.body = resp.reason;
        return (deliver);
    }
}

sub vcl_backend_error {
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.Retry-After = "5";
    set beresp.body = {"<!DOCTYPE html>
<html lang="fr">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Boutique momentanément indisponible</title>
<body style="font-family: sans-serif; max-width: 34em; margin: 15vh auto; padding: 0 1em">
<h1>La boutique est momentanément indisponible</h1>
<p>Merci de réessayer dans quelques instants.</p>
</body>
</html>
"};
    return (deliver);
}
