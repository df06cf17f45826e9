# Where the shop runs, one backend for each of its processes; default.vcl includes this file. A
# process that cannot answer or is about to end says so at /api/ready, and is spared.

import directors;

probe ready {
    .url = "/api/ready";
    .interval = 1s;
    .timeout = 2s;
    .window = 3;
    .threshold = 2;
    .initial = 2;
}

backend shop_1 {
    .host = "127.0.0.1";
    .port = "3000";
    .probe = ready;
}

backend shop_2 {
    .host = "127.0.0.1";
    .port = "3001";
    .probe = ready;
}

sub vcl_init {
    new shop = directors.round_robin();
    shop.add_backend(shop_1);
    shop.add_backend(shop_2);
}
